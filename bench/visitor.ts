/** A visitor behind a proxy with TLS: fetches pages and sends offers as a browser does, with an IP of its own. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { setTimeout as later } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import type { OfferSubmission } from '../supabase/functions/_shared/contract/offer.ts';
import { PUBLIC_KEY } from '../tests/support/product.ts';

/** Longest silence of the server. */
const TIMEOUT_MS = 20_000;
/** src/api/order-submit.ts waits as long before it sends an offer again. */
const RETRY_DELAY_MS = 5_000;
/** Attempts for one offer: the form's two, then as often as the visitor submits it again. */
const MAX_ATTEMPTS = 12;
/** In half a minute. */
const ATTEMPTS_OF_FORM = 7;

export interface Visitor {
  /** Port of the proxy on 127.0.0.1. */
  readonly port: number;
  /** A loopback IP. */
  readonly ip: string;
}

export interface PageView {
  readonly status: number;
  /** Decompressed. */
  readonly html: string;
  /** From the request, with a new connection's handshake, to the end of the body. */
  readonly ms: number;
}

export interface OfferOutcome {
  /** Undefined if it was not acknowledged. */
  readonly id: string | undefined;
  /** Statuses and error codes of the attempts that failed. */
  readonly failures: string[];
  /** How many times the form showed an error and the visitor submitted the offer again. */
  readonly submittedAgain: number;
  readonly ms: number;
}

/** The connection of a browser to one host name. */
export function keptConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/**
 * @param agent absent: over a new connection
 * @throws what the connection throws
 */
export async function viewPage(
  visitor: Visitor,
  host: string,
  path: string,
  agent?: Agent,
): Promise<PageView> {
  const began = performance.now();
  const headers = { host, 'accept-encoding': 'br' };
  const response = await send(visitor, { path, headers, ...(agent && { agent }) });
  const body = await bodyOf(response);
  const ms = performance.now() - began;
  const html = isBrotli(response.headers) ? brotliDecompressSync(body) : body;
  return { status: response.statusCode ?? 0, html: html.toString(), ms };
}

/** Sends an offer as the form does: again every 5 s where the proxy or the server reports 502 to 504. */
export async function submitOffer(visitor: Visitor, offer: OfferSubmission): Promise<OfferOutcome> {
  const began = performance.now();
  const failures: string[] = [];
  const outcome = (id?: string): OfferOutcome => ({
    id,
    failures,
    submittedAgain: Math.max(0, Math.ceil((failures.length + 1) / ATTEMPTS_OF_FORM) - 1),
    ms: performance.now() - began,
  });
  while (failures.length < MAX_ATTEMPTS) {
    try {
      const { status, id } = await sendOffer(visitor, offer);
      if (id !== undefined) return outcome(id);
      failures.push(String(status));
      if (!/^50[234]$/.test(String(status))) return outcome();
      await later(RETRY_DELAY_MS);
    } catch (error) {
      failures.push(reasonOf(error));
    }
  }
  return outcome();
}

/** The code and the message of a connection's error. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${code ?? ''} ${message}`.trim();
}

async function sendOffer(visitor: Visitor, offer: OfferSubmission): Promise<{ status: number; id?: string }> {
  const body = JSON.stringify(offer);
  const headers = {
    host: offer.domain_name,
    apikey: PUBLIC_KEY,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const path = '/functions/v1/order-submit';
  const response = await send(visitor, { method: 'POST', path, headers }, body);
  const text = (await bodyOf(response)).toString();
  const status = response.statusCode ?? 0;
  return status === 200 || status === 201
    ? { status, id: (JSON.parse(text) as { id: string }).id }
    : { status };
}

/** The certificate is one of Caddy's own authority, which is not verified. */
function send({ port, ip }: Visitor, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      localAddress: ip,
      servername: String((options.headers as IncomingHttpHeaders).host),
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
      agent: false,
      ...options,
    });
    sent.on('timeout', () => sent.destroy(new Error('no response in time')));
    sent.once('response', resolve).once('error', reject).end(body);
  });
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await response.toArray()) as Buffer[]);
}

function isBrotli(headers: IncomingHttpHeaders): boolean {
  return headers['content-encoding'] === 'br';
}
