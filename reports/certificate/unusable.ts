/** What is no certificate of ours, or one that cannot be read: one line that names it, what was expected, and what to do. */
export class UnusableCertificate extends Error {
  override readonly name: string = 'UnusableCertificate';
}
