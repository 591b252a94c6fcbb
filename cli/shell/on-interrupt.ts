/** One Ctrl-C comes twice under npm: from the terminal, and handed on by npm. */
const SAME_KEY_MS = 500;

/**
 * Calls a listener for each signal that ends a command, until it is disposed of.
 * @param caller whose abort counts as such a signal
 */
export function onInterrupt(listener: () => void, caller?: AbortSignal): Disposable {
  let heard = Number.NEGATIVE_INFINITY;
  const hear = (): void => {
    if (performance.now() - heard <= SAME_KEY_MS) return;
    heard = performance.now();
    listener();
  };
  caller?.addEventListener('abort', hear);
  if (caller?.aborted === true) hear();
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return {
    [Symbol.dispose]() {
      caller?.removeEventListener('abort', hear);
      process.off('SIGINT', hear);
      process.off('SIGTERM', hear);
    },
  };
}
