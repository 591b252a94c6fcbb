/**
 * Lets a command go on quietly where nobody reads its output any longer, as in `plan | head`: a run still writes its
 * reports and removes its records, and the exit code is the one it has anyway. Other errors of a stream stay errors.
 * @param streams standard output and standard error
 */
export function outliveReaders(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    if (stream.listeners('error').includes(ignoreClosed)) continue;
    stream.on('error', ignoreClosed);
  }
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
