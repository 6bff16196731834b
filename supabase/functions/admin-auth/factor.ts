/**
 * The second factor: TOTP (RFC 6238: SHA-1, 6 digits, 30 s, one step to each side) and recovery codes. The secret is sealed
 * with a key derived from the secret key, and recovery codes are keyed hashes: the database holds nothing to sign in with.
 */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import * as z from 'zod/mini';
import type { Arguments } from '../_shared/contract/calls.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { readJson } from '../_shared/read-json.ts';
import { Rejection } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';

const BODY_BOUNDS = { maxBytes: 4 * 1024, timeoutMs: 5_000 };

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const IV_BYTES = 12;

/** Without `sealed` a new secret is made; with it and a code of it the factor is stored. */
const EnrolSchema = z.strictObject({
  user_id: z.uuid(),
  email: z.string().check(z.minLength(1), z.maxLength(254)),
  sealed: z.optional(z.string().check(z.maxLength(300))),
  code: z.optional(z.string().check(z.maxLength(100))),
});

interface Enrolment {
  readonly secretKey: string;
  readonly callDatabase: (name: 'set_factor', args: Arguments<'set_factor'>) => Promise<boolean>;
}

/** The id of the key that secrets are sealed with. */
export function keyIdOf(secretKey: string): string {
  return keyedHash(secretKey, 'factor-key-id', '').slice(0, 8);
}

/**
 * What `open_admin_session` uses up: the step of a right code, the hash of a recovery code, or step 0 for a wrong code.
 * @throws where `sealed` was made with another key or for another user
 */
export async function factorUse(
  secretKey: string,
  userId: string,
  sealed: string,
  code: string,
): Promise<{ step: number } | { recovery: string }> {
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^\d{6}$/.test(plain)) return { recovery: recoveryHash(secretKey, userId, plain) };
  const timestamp = Date.now();
  const secret = new Secret({ buffer: await unseal(secretKey, userId, sealed) });
  const delta = new TOTP({ secret }).validate({ token: plain, timestamp, window: 1 });
  return { step: delta === null ? 0 : TOTP.counter({ timestamp }) + delta };
}

/** Serves the owner's command, with the secret key. */
export function createFactorHandler(enrolment: Enrolment): Handler {
  return async (request) => await enrol(enrolment, await readJson(request, BODY_BOUNDS));
}

/** The first call returns `url` and `sealed`; the second one, with a code, returns the recovery codes. */
export async function enrol({ secretKey, callDatabase }: Enrolment, body: unknown): Promise<Result> {
  const { success, data } = EnrolSchema.safeParse(body);
  if (!success) throw new Rejection('malformed');
  const { user_id, email, sealed, code } = data;
  if (sealed === undefined || code === undefined) {
    const secret = new Secret({ size: SECRET_BYTES });
    const url = new TOTP({ issuer: 'Domain Sales Admin', label: email, secret }).toString();
    return {
      status: 200,
      body: { url, sealed: await seal(secretKey, user_id, new Uint8Array(secret.bytes)) },
    };
  }
  const use = await factorUse(secretKey, user_id, sealed, code).catch(() => {
    throw new Rejection('factor_of_other_key');
  });
  if (!('step' in use) || use.step === 0) throw new Rejection('wrong_code');
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const stored = await callDatabase('set_factor', {
    user_id,
    sealed,
    key_id: keyIdOf(secretKey),
    step: use.step,
    recovery_hashes: codes.map((one) => recoveryHash(secretKey, user_id, one)),
  });
  if (!stored) throw new Rejection('not_enrollable');
  return { status: 200, body: { recovery_codes: codes.map((one) => one.replaceAll(/(.{4})(?=.)/g, '$1-')) } };
}

/** 80 random bits as 16 characters of base32. */
function newRecoveryCode(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32;
}

function recoveryHash(secretKey: string, userId: string, code: string): string {
  return keyedHash(secretKey, 'recovery-code', `${userId}\n${code}`);
}

async function seal(secretKey: string, userId: string, secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = new Uint8Array(randomBytes(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(iv, userId), await sealingKey(secretKey), secret);
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64');
}

async function unseal(secretKey: string, userId: string, sealed: string): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(sealed, 'base64'));
  const parameters = algorithm(bytes.slice(0, IV_BYTES), userId);
  return await crypto.subtle.decrypt(parameters, await sealingKey(secretKey), bytes.slice(IV_BYTES));
}

/** Bound to the user, so that a row copied to another account opens nothing. */
function algorithm(iv: Uint8Array<ArrayBuffer>, userId: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(userId) };
}

async function sealingKey(secretKey: string): Promise<CryptoKey> {
  const raw = new Uint8Array(Buffer.from(keyedHash(secretKey, 'factor-key', ''), 'hex'));
  return await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
