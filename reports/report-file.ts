/** A report file that was written: what it is, and its path. */
export interface ReportFile {
  label: string;
  path: string;
}
