/** A report that could not be written while a run went on, as on a full disk: one line. Exit code 4. */
export class ReportError extends Error {
  override readonly name: string = 'ReportError';

  /** @param cause the error of the file system */
  constructor(folder: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `the reports cannot be written to ${folder} (${why}): the run ended there, make room and run it again`,
      {
        cause,
      },
    );
  }
}
