/**
 * For the build's own process: a Response that keeps the page it was made of. The platform's copies its bytes, makes a
 * stream of them, and copies what comes out together again; of thousands of pages that never leave the process, that is
 * a sixteenth of all the work. Whoever reads one in another way gets what the platform would give.
 */
const Platform = globalThis.Response;
const kept = new WeakMap<Response, Uint8Array<ArrayBuffer>>();

class PageResponse extends Platform {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    const isPage = body instanceof Uint8Array;
    super(isPage ? null : body, init);
    if (isPage) kept.set(this, body as Uint8Array<ArrayBuffer>);
  }

  override get body(): Response['body'] {
    return kept.has(this) ? platformOf(this).body : super.body;
  }

  /** `Response.json()` and others answer the platform's. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Platform[Symbol.hasInstance](value);
  }
}

for (const name of ['arrayBuffer', 'blob', 'bytes', 'clone', 'formData', 'json', 'text'] as const) {
  Object.defineProperty(PageResponse.prototype, name, {
    value(this: Response) {
      return (Platform.prototype[name] as () => unknown).call(platformOf(this));
    },
  });
}

function platformOf(response: Response): Response {
  const page = kept.get(response);
  return page ? new Platform(page, response) : response;
}

/** From now on, every Response made of bytes keeps them. */
export function keepPagesInResponses(): void {
  globalThis.Response = PageResponse;
}

/**
 * What a Response was made of, not copied; undefined where that were no bytes. It is the taker's from then on: left
 * here, each page would stay in memory until the next time that V8 marks all of it.
 */
export function takePage(response: Response): Uint8Array<ArrayBuffer> | undefined {
  const page = kept.get(response);
  kept.delete(response);
  return page;
}
