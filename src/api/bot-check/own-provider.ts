import { TURNSTILE_SITE_KEY } from 'astro:env/client';
import { proofOfWork } from './proof-of-work.ts';
import type { BotCheckProvider } from './provider.ts';
import { turnstile } from './turnstile.ts';

/**
 * Turnstile with a key, set at build time; otherwise the proof of work. Both are bundled: a dynamic import would need
 * more script than the smaller one has.
 */
export const ownProvider: BotCheckProvider = TURNSTILE_SITE_KEY ? turnstile(TURNSTILE_SITE_KEY) : proofOfWork;
