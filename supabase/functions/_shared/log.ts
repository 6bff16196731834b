import { requestId } from './answer.ts';

/** One JSON line a request: no token, address, e-mail, password or text of an offer. */
export function logRequest(name: string, request: Request, response: Response, milliseconds: number): void {
  if (request.method === 'OPTIONS') return;
  console.log(
    JSON.stringify({
      time: new Date().toISOString(),
      event: 'request',
      function: name,
      request_id: requestId(request),
      status: response.status,
      ms: Math.round(milliseconds),
    }),
  );
}
