/** Calls of the product's API, to prepare what a test needs. */

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { solveChallenge } from 'altcha-lib';
import type { DeriveKeyFunction } from 'altcha-lib/types';
import { type Challenge, ChallengeSchema } from '#contract/bot-check.ts';
import { OfferResponseSchema, type OfferStatus, type OfferSubmission } from '#contract/offer.ts';
import type { ExportedOffer } from '#contract/offers-csv.ts';
import { sampleOffer } from '#contract/sample-offer.ts';
import { SignedInSchema } from '#contract/sign-in.ts';
import { seedOffers as addOffers } from '../../commands/demo/seed-offers.ts';
import { readOffers } from '../../server/backend-client/offers.ts';
import type { Project } from '../../server/backend-client/project.ts';
import { withProject } from '../../server/embedded/with-project.ts';
import { dataKeys } from '../abuse/data-keys.ts';
import { encodeProof, proofMaker } from '../abuse/proofs.ts';
import { ADMIN, type Product, PUBLIC_KEY } from './product.ts';

export type OfferTexts = Omit<OfferSubmission, 'turnstile_token'>;

/**
 * Makes an offer as the form does. Another name is another customer, with an email of its own: the dashboard groups open offers by
 * email. The proof is made with the server's key, where its data folder is at hand: to solve one takes 0.2 s.
 */
export async function makeOffer(product: Product, texts: Partial<OfferTexts> = {}): Promise<string> {
  const { customer_name: name = '' } = texts;
  const own = name
    .toLowerCase()
    .replace(/[^a-z]+/g, '')
    .slice(0, 40);
  const offer: OfferTexts = sampleOffer({ ...(own && { customer_email: `${own}@example.com` }), ...texts });
  const turnstile_token = existsSync(join(product.dataDir, 'secrets.json'))
    ? encodeProof(
        await proofMaker(dataKeys(product.dataDir).secretKey)({ counter: 1, domain: offer.domain_name }),
      )
    : await botCheckToken(product, offer.domain_name);
  const response = await callFunction(product, 'order-submit', {
    ...offer,
    turnstile_token,
  } satisfies OfferSubmission);
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`The offer was rejected: ${JSON.stringify(body)}`);
  return OfferResponseSchema.parse(body).id;
}

/** Solves a proof of work. Returns a token for one offer for the domain. */
export async function botCheckToken(
  product: Pick<Product, 'origin' | 'api'>,
  domain = 'lap.app',
): Promise<string> {
  const response = await callFunction(product, `bot-check?domain=${domain}`);
  return await solve(ChallengeSchema.parse(await response.json()));
}

export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The proof of work has no solution.');
  const { counter, derivedKey } = solution;
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
}

const deriveKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => {
  let derivedKey: Buffer = Buffer.concat([salt, password]);
  for (let round = 0; round < cost; round += 1) derivedKey = hash('sha256', derivedKey, 'buffer');
  return { derivedKey: new Uint8Array(derivedKey.subarray(0, keyLength)) };
};

/** Calls a function with the public key: with a body by POST, otherwise by GET. A challenge is one for lap.app. */
export function callFunction(
  { origin, api = origin }: Pick<Product, 'origin' | 'api'>,
  name: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${api}/functions/v1/${name === 'bot-check' ? 'bot-check?domain=lap.app' : name}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      apikey: PUBLIC_KEY,
      'content-type': 'application/json',
      // Solving a proof blocks this process, which would then reuse a connection that the server has closed.
      connection: 'close',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Signs the administrator in. */
export async function openSession(product: Product) {
  const signedIn = await callFunction(product, 'admin-auth', ADMIN);
  return SignedInSchema.parse(await signedIn.json()).session;
}

/** Refreshes a session as the admin pages do. Returns the status: 200, or 400 if the session has ended. */
export async function refreshStatus(
  { origin, api = origin }: Product,
  refresh_token: string,
): Promise<number> {
  const response = await fetch(`${api}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  });
  return response.status;
}

/** Changes a status as another admin. */
export async function changeStatusElsewhere(
  product: Product,
  id: string,
  status: OfferStatus,
): Promise<void> {
  const session = await openSession(product);
  const response = await fetch(`${product.api ?? product.origin}/rest/v1/offers?id=eq.${id}`, {
    method: 'PATCH',
    headers: {
      apikey: PUBLIC_KEY,
      authorization: `Bearer ${session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status }),
  });
  if (!response.ok) throw new Error(`The status was not changed: ${await response.text()}`);
}

/** Adds made-up offers, spread over the last year: the newest is `Example 1`, the oldest has the last number. */
export async function seedOffers(
  { dataDir }: Pick<Product, 'dataDir'>,
  count: number,
  domains = ['lap.app'],
): Promise<void> {
  await inProject(dataDir, (project) => addOffers(project, count, domains));
}

/** Adds offers as they are held for review, the last one as the newest. */
export async function addHeldOffers(
  { dataDir }: Pick<Product, 'dataDir'>,
  customers: readonly string[],
): Promise<void> {
  const now = Date.now();
  const rows = customers.map((customer_name, at) =>
    sampleOffer({
      id: crypto.randomUUID(),
      customer_name,
      customer_email: `held${at}@example.com`,
      created_at: new Date(now - (customers.length - at) * 1_000).toISOString(),
      status: 'pending',
      held: true,
      low: false,
    }),
  );
  await inProject(dataDir, (project) => project.call('receive_rows', { kind: 'offers', rows }));
}

/** Every offer, newest first, as the owner's commands read them. */
export async function readAllOffers({ dataDir }: Pick<Product, 'dataDir'>): Promise<ExportedOffer[]> {
  return await inProject(dataDir, async (project) => Array.fromAsync((await readOffers(project)).offers));
}

/** Erases every customer, so that a test finds no offers of the one before. */
export async function eraseAllOffers(product: Product): Promise<void> {
  await eraseCustomers(
    product,
    (await readAllOffers(product)).map((offer) => offer.customer_email),
  );
}

/** Without a note, unlike the command. */
export async function eraseCustomers({ dataDir }: Product, emails: readonly string[]): Promise<void> {
  await inProject(dataDir, async (project) => {
    for (const email of new Set(emails)) await project.call('erase_customer', { email });
  });
}

/** Adds visits of today to the numbers of names. */
export async function addVisits(
  { dataDir }: Pick<Product, 'dataDir'>,
  visits: Readonly<Record<string, number>>,
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const counts = Object.entries(visits).map(([name, number]) => ({ name, day, visits: number }));
  await inProject(dataDir, (project) =>
    project.call('add_numbers', { batch: crypto.randomUUID(), counts, is_on: true }),
  );
}

function inProject<Result>(dataDir: string, use: (project: Project) => Promise<Result>): Promise<Result> {
  return withProject({ dataDir, supabase: undefined }, use);
}
