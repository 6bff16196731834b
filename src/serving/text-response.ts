/**
 * A short text that is made for each request. It is revalidated like a page, so that a crawler that has it already gets
 * 304 without a body.
 * @param typed its type, and how long it may be cached
 */
export async function textResponse(
  request: Request,
  typed: Record<string, string>,
  text: string,
): Promise<Response> {
  const body = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest('SHA-256', body);
  const etag = `"${btoa(String.fromCharCode(...new Uint8Array(digest))).slice(0, 22)}"`;
  const headers = { etag, ...typed };
  if (request.headers.get('if-none-match')?.includes(etag))
    return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, 'content-length': String(body.length) } });
}

/** A plain text of one line. */
export function sentence(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  });
}
