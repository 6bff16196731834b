/** Checks of the product and what it depends on: catalogue, build, backend, offers, bot check and disk. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Returned } from '#contract/calls.ts';
import { DEFAULT_REPLY_WITHIN, hoursOf } from '#contract/reply-within.ts';
import {
  checkAdminHost,
  EMBEDDED_PUBLISHABLE_KEY,
  localOrigin,
  type Settings,
  turnstileTestKeys,
} from '../../config/settings.ts';
import { messageFor } from '../../process/report-and-exit.ts';
import { findBotCheckProblem } from '../../server/backend-client/bot-check-problem.ts';
import { findProject } from '../../server/embedded/with-project.ts';
import { isFresh } from '../../site-builder/build-hash.ts';
import { hasBuild, prepareCatalogue } from '../../site-builder/build-site.ts';
import { findSiteFacts } from '../../site-builder/built-site/site-facts.ts';
import { DIST } from '../../site-builder/live-build.ts';
import { contrastWarnings } from '../../src/branding/contrast.ts';
import { schemesOf } from '../../src/branding/design-tokens.ts';
import { loadBranding } from '../../src/branding/load-branding.ts';
import { catalogueFile, isSample, type Place } from '../../src/catalogue/catalogue-file.ts';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { brokerHost, placeholderBroker } from '../../src/catalogue/placeholder-broker.ts';
import { parseJson } from '../hosted/outside-check/requests.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface Site {
  readonly findings: readonly Finding[];
  /** Of the catalogue or, while it has problems, of the served build. */
  readonly names: readonly string[];
  readonly hosts: readonly string[];
  /** The catalogue's setting; undefined also while it has problems. */
  readonly replyWithin?: string | undefined;
}

/** The error’s code where there is none. */
type Response = { readonly status: number; readonly body: string } | string;

const DAY_MS = 86_400_000;
const MIN_FREE_BYTES = 1e9;
const MIN_FREE_SHARE = 0.05;
/** The platform's status for a project that is paused. */
const PAUSED = 540;
const PAUSED_MESSAGE =
  'The project is paused (540), and takes no offers: restore it in the platform’s dashboard.';
const ELSEWHERE = 'Check SUPABASE_URL, and that no proxy or login page of this network responds.';

const HealthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  reasons: z.optional(z.record(z.string(), z.string())),
});
const VerdictSchema = z.looseObject({ 'error-codes': z.optional(z.array(z.string())) });

/** Checks the catalogue as `npm run catalogue -- check` does, and whether the served build is made from it. */
export function checkSite(settings: Settings, place: Place): Site {
  const catalogueFindings = findingsOf('catalogue');
  const build = checkBuild(settings);
  let catalogue: Catalogue;
  try {
    catalogue = prepareCatalogue(place);
  } catch (error) {
    const facts = findSiteFacts(DIST);
    const findings = [catalogueFindings.fail(expectedMessage(error)), build];
    return { findings, names: [...(facts?.names ?? [])], hosts: facts?.hosts ?? [] };
  }
  const names = catalogue.domains.map(({ name }) => name);
  const { hosts, replyWithin } = catalogue.settings;
  const findings = [...checkTheme(catalogue, place), checkBroker(catalogue), build];
  try {
    checkAdminHost(settings, names);
    findings.unshift(
      isSample(catalogueFile(place), place)
        ? catalogueFindings.warn(
            'It is the sample, whose names are not yours: run npm run catalogue -- init.',
          )
        : catalogueFindings.ok(`It has no problems (${names.length} names).`),
    );
  } catch (error) {
    findings.unshift(findingsOf('settings').fail(expectedMessage(error)));
  }
  return { findings, names, hosts, replyWithin };
}

function checkTheme({ settings }: Catalogue, place: Place): Finding[] {
  const { ok, warn } = findingsOf('theme');
  const warnings = contrastWarnings(loadBranding(place).tokens, schemesOf(settings.colorScheme));
  return warnings.length > 0 ? warnings.map((line) => warn(line)) : [ok('All text has enough contrast.')];
}

function checkBuild(settings: Settings): Finding {
  const { ok, warn, fail } = findingsOf('build');
  if (!hasBuild()) return fail('There is no complete build: run npm run build.');
  try {
    if (isFresh(settings))
      return ok('The served build is made from the catalogue, the settings and the code.');
  } catch (error) {
    // Files of the owner that cannot be read: the check of the catalogue reports them.
    expectedMessage(error);
  }
  return warn('The served build is older than the catalogue, the settings or the code: run npm run build.');
}

/** @throws the error, if it is none of the product's own */
function expectedMessage(error: unknown): string {
  const message = messageFor(error);
  if (message === undefined) throw error;
  return message;
}

/** Judges where “Use Broker for …” leads. */
function checkBroker(catalogue: Catalogue): Finding {
  const { ok, warn } = findingsOf('broker');
  const warning = placeholderBroker(catalogue);
  if (warning) return warn(warning);
  const isLinked = catalogue.domains.some(({ hasBroker }) => hasBroker);
  return ok(
    isLinked ? `brokerUrl leads to ${brokerHost(catalogue.settings)}.` : 'No name links to a broker.',
  );
}

/** The product of this machine, and its backend or the hosted project. */
export async function checkRunning(settings: Settings, timeoutMs: number): Promise<Finding[]> {
  const { supabase, port } = settings;
  const origin = localOrigin(settings, port);
  const { finding, isRunning } = await checkProduct(origin, supabase !== undefined, timeoutMs);
  if (!supabase && !isRunning) return [finding];
  const { url, publishableKey } = supabase ?? { url: origin, publishableKey: EMBEDDED_PUBLISHABLE_KEY };
  return [finding, ...(await checkBackend(url, publishableKey, timeoutMs))];
}

/** Judges `GET /health` of the product on this machine. */
export async function checkProduct(
  origin: string,
  isHosted: boolean,
  timeoutMs: number,
): Promise<{ isRunning: boolean; finding: Finding }> {
  const { ok, skip, warn, fail } = findingsOf('product');
  const response = await send(`${origin}/health`, {}, timeoutMs);
  if (typeof response === 'string') {
    const finding = isHosted
      ? skip(`No product runs at ${origin} (${response}): other machines may serve the pages.`)
      : fail(`The product does not run at ${origin} (${response}): start it with npm start.`);
    return { isRunning: false, finding };
  }
  const health = HealthSchema.safeParse(parseJson(response.body)).data;
  if (!health) {
    const finding = fail(`Another program responds at ${origin}: stop it, or set another PORT.`);
    return { isRunning: false, finding };
  }
  if (health.status === 'ok') {
    return { isRunning: true, finding: ok(`The product runs at ${origin}, and all its parts work.`) };
  }
  const reasons = Object.entries(health.reasons ?? {}).map(([part, reason]) => `${part}: ${reason}`);
  const shown = reasons.join(' ') || 'GET /health of the admin host lists the reasons.';
  const judge = response.status === 200 ? warn : fail;
  return { isRunning: true, finding: judge(`The product runs, and a part does not work. ${shown}`) };
}

/**
 * Judges whether offers can be sent, and whether visitors cannot read them.
 * @param origin of the functions and of the data API
 */
export async function checkBackend(
  origin: string,
  publishableKey: string,
  timeoutMs: number,
): Promise<Finding[]> {
  const headers = { apikey: publishableKey, 'content-type': 'application/json' };
  const [offer, read] = await Promise.all([
    // Rejected for its missing fields, before it costs anything.
    send(`${origin}/functions/v1/order-submit`, { method: 'POST', headers, body: '{}' }, timeoutMs),
    send(`${origin}/rest/v1/offers?select=id&limit=1`, { headers }, timeoutMs),
  ]);
  return [judgeOrderSubmit(offer), judgeDataApi(read)];
}

export function judgeOrderSubmit(response: Response): Finding {
  const { ok, fail } = findingsOf('order-submit');
  if (typeof response === 'string') return fail(`order-submit does not respond (${response}).`);
  const { status } = response;
  if (status === 400) return ok('order-submit responds.');
  const rejected = `order-submit rejects the public key (${status}): copy SUPABASE_PUBLISHABLE_KEY again.`;
  const problems: Record<number, string> = {
    200: `Something else responds instead of order-submit (200). ${ELSEWHERE}`,
    401: rejected,
    403: rejected,
    404: 'order-submit is not there (404): run supabase functions deploy.',
    429: 'order-submit gets too many requests (429): run this again in a minute.',
    [PAUSED]: PAUSED_MESSAGE,
  };
  return fail(problems[status] ?? `order-submit responds with ${status} instead of 400: see its log.`);
}

export function judgeDataApi(response: Response): Finding {
  const { ok, fail } = findingsOf('data-api');
  if (typeof response === 'string') return fail(`The data API does not respond (${response}).`);
  const { status, body } = response;
  if (status === 401) return ok('The data API responds, and visitors cannot read offers (401).');
  if (status === PAUSED) return fail(PAUSED_MESSAGE);
  if (status !== 200) {
    return fail(`The data API responds with ${status} instead of 401: see the log of the backend.`);
  }
  return fail(
    Array.isArray(parseJson(body))
      ? 'VISITORS CAN READ /rest/v1/offers (200 instead of 401): stop the site and run the migrations.'
      : `Something else responds instead of the data API (200). ${ELSEWHERE}`,
  );
}

/**
 * Reads and judges the unanswered offers. A database that does not run is not started: meanwhile the product could not
 * start, and this command may run at any time.
 */
export async function checkOffers(
  settings: Settings,
  timeoutMs: number,
  replyWithin?: string,
): Promise<Finding> {
  const { skip, fail } = findingsOf('offers');
  try {
    const project = await findProject(settings);
    if (typeof project === 'string') return skip(`Not checked: ${project}`);
    const unanswered = await project.call('read_unanswered', { hours: hoursOf(replyWithin) }, timeoutMs);
    return judgeUnanswered(unanswered, replyWithin);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail(`The offers could not be read: ${why}`);
  }
}

/**
 * Judges the offers that have been new for longer than the pages promise, without those that are held.
 * @param replyWithin what the pages promise
 */
export function judgeUnanswered(
  { count, oldest }: Returned<'read_unanswered'>,
  replyWithin = DEFAULT_REPLY_WITHIN,
  now = Date.now(),
): Finding {
  const { ok, warn } = findingsOf('offers');
  if (count === 0) return ok(`No offer has been new for more than ${replyWithin}.`);
  const days = oldest === null ? 0 : Math.floor((now - Date.parse(oldest)) / DAY_MS);
  const offers = count === 1 ? '1 offer has' : `${count.toLocaleString('en-US')} offers have`;
  return warn(
    `${offers} been new for more than ${replyWithin}, the oldest for ${days} ${days === 1 ? 'day' : 'days'}: answer them and change their status in the dashboard.`,
  );
}

/**
 * Compares the bot check of the pages with that of a hosted project, then judges Turnstile's two keys; sends siteverify
 * an invalid token, whose rejection shows whether it knows the secret key.
 */
export async function checkTurnstile(
  { turnstile, supabase }: Pick<Settings, 'turnstile' | 'supabase'>,
  timeoutMs: number,
): Promise<Finding> {
  const { ok, skip, warn, fail } = findingsOf('turnstile');
  const mismatch = await findBotCheckProblem({ turnstile, supabase }, timeoutMs);
  if (mismatch !== undefined) return fail(mismatch);
  if (!turnstile) return ok('Turnstile is not set: a proof of work is the bot check.');
  const { secretKey, verifyUrl } = turnstile;
  const tests = turnstileTestKeys(turnstile);
  if (tests.length > 0) {
    return fail(
      `For tests only, so that every offer is rejected: ${tests.join(' and ')}. Copy both keys from your widget.`,
    );
  }
  if (secretKey === '') {
    return skip('TURNSTILE_SECRET_KEY is not set here, so the keys were not checked.');
  }
  const body = new URLSearchParams({ secret: secretKey, response: 'doctor' });
  const { host } = new URL(verifyUrl);
  const response = await send(verifyUrl, { method: 'POST', body }, timeoutMs);
  if (typeof response === 'string') {
    return fail(
      `${host} cannot be reached from this machine (${response}), so no offer can be checked: allow it in the firewall.`,
    );
  }
  const verdict = VerdictSchema.safeParse(parseJson(response.body)).data;
  const codes = verdict?.['error-codes'] ?? [];
  if (codes.some((code) => code.endsWith('-input-secret'))) {
    return fail(
      `Cloudflare rejects TURNSTILE_SECRET_KEY (${codes.join(', ')}): copy it from the widget that has the site key.`,
    );
  }
  return codes.includes('invalid-input-response')
    ? ok(
        'Cloudflare knows the secret key. Whether the site key is of the same widget shows in an offer only.',
      )
    : warn(`${host} responded with ${response.status} ${codes.join(', ')}. Run this again.`);
}

/** Judges the free space for a folder, which need not exist. */
export function checkDisk(folder: string): Finding {
  const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));
  const { bsize, bavail, blocks } = statfsSync(existing(folder));
  return { ...judgeSpace(bavail * bsize, blocks * bsize), subject: folder };
}

export function judgeSpace(freeBytes: number, totalBytes: number): Finding {
  const { ok, warn } = findingsOf('disk');
  const share = freeBytes / totalBytes;
  const free = `${(freeBytes / 1e9).toFixed(1)} GB (${Math.floor(share * 100)} %) are free`;
  return freeBytes < MIN_FREE_BYTES || share < MIN_FREE_SHARE
    ? warn(`${free}: make room, because offers cannot be stored on a full disk.`)
    : ok(`${free}.`);
}

/** Returns the error's code where there is no response. */
async function send(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    return name === 'TimeoutError' ? 'no response in time' : (cause?.code ?? message);
  }
}
