/**
 * Reads a body of at most `maxBytes`. Undefined if it is longer, without reading the rest.
 * @throws the error of the stream
 */
export async function readBounded(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<ArrayBuffer | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(chunks).arrayBuffer();
    length += value.byteLength;
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
}
