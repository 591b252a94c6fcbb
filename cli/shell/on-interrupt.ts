/** Under npm one Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_KEY_MS = 500;

/** Calls a listener for each interrupting signal, and for an abort of the caller, until it is disposed of. */
export function onInterrupt(listener: () => void, caller?: AbortSignal): Disposable {
  let ignores = false;
  const hear = (): void => {
    if (ignores) return;
    ignores = true;
    // A busy process hears late: a signal that came meanwhile is handled after the timer, and before what is immediate.
    const later = (): void =>
      void setImmediate(() => {
        ignores = false;
      }).unref();
    setTimeout(later, SAME_KEY_MS).unref();
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

/** A signal that the first interruption aborts, as does an abort of the caller. @param again called at further ones */
export function interruptible(
  again: () => void,
  caller?: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const stopping = new AbortController();
  const { signal } = stopping;
  return { signal, ...onInterrupt(() => (signal.aborted ? again() : stopping.abort()), caller) };
}
