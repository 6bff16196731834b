import { TURNSTILE_KEY } from '../settings.ts';
import { proofOfWork } from './proof-of-work.ts';
import type { BotCheckProvider } from './provider.ts';
import { turnstile } from './turnstile.ts';

/** The provider in use. Both are bundled: a dynamic import would need more script than the smaller one has. */
export const ownProvider: BotCheckProvider = TURNSTILE_KEY ? turnstile(TURNSTILE_KEY) : proofOfWork;
