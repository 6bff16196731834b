/** Makes certificates for tests: X.509 in DER, with keys on P-256. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const DAY_MS = 86_400_000;

export interface Identity {
  readonly cert: string;
  readonly key: string;
  readonly issuer: string;
}

/** An authority that signs certificates. */
export function makeAuthority(name = 'Test authority'): Identity {
  return make({ subject: name, days: 3_650, extensions: [[BASIC_CONSTRAINTS, sequence(tlv(0x01, [0xff]))]] });
}

/**
 * A certificate for host names.
 * @param days until it ends; negative: that long ago; NaN: it has dates that cannot be read
 * @param authority absent: it is self-signed
 */
export function makeCertificate(hosts: readonly string[], days: number, authority?: Identity): Identity {
  const names = hosts.map((host) => tlv(0x82, Buffer.from(host)));
  return make({
    subject: hosts[0] ?? '',
    days,
    extensions: [[ALTERNATIVE_NAMES, sequence(...names)]],
    authority,
  });
}

function make(options: {
  subject: string;
  days: number;
  extensions: [oid: string, value: Buffer][];
  authority?: Identity | undefined;
}): Identity {
  const { subject, days, extensions, authority } = options;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer: KeyObject = authority ? createPrivateKey(authority.key) : privateKey;
  const algorithm = sequence(oid(ECDSA_SHA256));
  const end = Date.now() + days * DAY_MS;
  const content = sequence(
    tlv(0xa0, tlv(0x02, [2])),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(authority?.issuer ?? subject),
    // An hour more, so that rounding down gives the number of days.
    sequence(time(Math.min(Date.now(), end) - 60 * DAY_MS), time(end + DAY_MS / 24)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions.map(([id, value]) => sequence(oid(id), tlv(0x04, value))))),
  );
  const signature = sign('sha256', content, signer);
  const der = sequence(content, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: subject,
  };
}

function nameOf(commonName: string): Buffer {
  return sequence(tlv(0x31, sequence(oid(COMMON_NAME), tlv(0x0c, Buffer.from(commonName)))));
}

/** GeneralizedTime, in UTC. */
function time(ms: number): Buffer {
  const digits = Number.isNaN(ms)
    ? '99999999999999Z'
    : new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tlv(0x18, Buffer.from(digits));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest.flatMap(base128)];
  return tlv(0x06, bytes);
}

/** Seven bits a byte, all but the last one marked. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

/** A value with its tag and its length. */
function tlv(tag: number, value: Uint8Array | readonly number[]): Buffer {
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), Buffer.from(value)]);
}
