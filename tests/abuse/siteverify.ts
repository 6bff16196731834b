/** Cloudflare's siteverify on loopback: for each token it answers, or misbehaves, as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is known of one asking. */
export type Asked = URLSearchParams;
export type Behaviour = (response: ServerResponse, asked: Asked, time: number) => void;

export interface Siteverify {
  readonly url: string;
  /** Says how a token will be answered; `time` counts its askings from 1. */
  answer(token: string, behaviour: Behaviour): void;
  /** Every asking for a token so far. */
  askings(token: string): Asked[];
  close(): void;
}

export async function startSiteverify(): Promise<Siteverify> {
  const behaviours = new Map<string, Behaviour>();
  const askings = new Map<string, Asked[]>();
  const server = createServer(async (request, response) => {
    const asked = new URLSearchParams(await textOf(request));
    const token = asked.get('response') ?? '';
    const all = [...(askings.get(token) ?? []), asked];
    askings.set(token, all);
    const behaviour = behaviours.get(token);
    if (behaviour) behaviour(response, asked, all.length);
    else json({ success: false, 'error-codes': ['invalid-input-response'] })(response, asked, all.length);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    answer: (token, behaviour) => void behaviours.set(token, behaviour),
    askings: (token) => askings.get(token) ?? [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers an object. */
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
