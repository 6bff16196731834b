/**
 * Aborts after a time, or with another signal. In place of `AbortSignal.timeout` and `AbortSignal.any`, which browsers of
 * the build's target lack.
 */
export function timeoutSignal(timeoutMs: number, other?: AbortSignal | null): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(other?.reason);
  if (other?.aborted) abort();
  other?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No response within ${timeoutMs} ms.`, 'TimeoutError'));
  }, timeoutMs);
  // In Node, where tests run, the process would wait for it.
  timer.unref?.();
  return controller.signal;
}
