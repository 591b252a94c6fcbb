import { print } from '../reports/print.ts';

/** Says what `--insecure` costs, to whoever has asked for it. */
export function warnInsecure(
  insecure: boolean | undefined,
  say: (line: string) => void = (line) => print(process.stderr, `${line}\n`),
): void {
  if (insecure !== true) return;
  say(
    '--insecure: no TLS certificate is verified; whoever is between this machine and the site can read the password and answer for it',
  );
}
