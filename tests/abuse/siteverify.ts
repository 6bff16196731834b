/** A fake of Cloudflare's siteverify on loopback: responds, or misbehaves, per token as the test requires. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The form fields of one verification. */
type Verification = URLSearchParams;
export type Behaviour = (response: ServerResponse, sent: Verification, time: number) => void;

export interface Siteverify {
  readonly url: string;
  /** Sets the response for a token; `time` counts its verifications from 1. */
  respondTo(token: string, behaviour: Behaviour): void;
  /** All verifications of a token so far. */
  verificationsOf(token: string): Verification[];
  close(): void;
}

export async function startSiteverify(): Promise<Siteverify> {
  const behaviours = new Map<string, Behaviour>();
  const verifications = new Map<string, Verification[]>();
  const server = createServer(async (request, response) => {
    const sent = new URLSearchParams(await textOf(request));
    const token = sent.get('response') ?? '';
    const all = [...(verifications.get(token) ?? []), sent];
    verifications.set(token, all);
    const behaviour = behaviours.get(token);
    if (behaviour) behaviour(response, sent, all.length);
    else json({ success: false, 'error-codes': ['invalid-input-response'] })(response, sent, all.length);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    respondTo: (token, behaviour) => void behaviours.set(token, behaviour),
    verificationsOf: (token) => verifications.get(token) ?? [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Responds with JSON. */
export function json(body: unknown, status = 200): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
