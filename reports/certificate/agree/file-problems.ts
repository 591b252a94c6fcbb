import { jsonText } from '../../files.ts';
import { FILES, HINTS, PUBLIC_KEY, REPORTS } from '../documents.ts';
import { certificateBadge, certifiedCoverage, renderedReports } from '../enclosures.ts';
import { jsonBytes } from '../make.ts';
import { type Problem, problem } from '../read.ts';
import { repeatText } from '../repeat.ts';
import type { Grounds } from './grounds.ts';

/**
 * What is wrong with the files of a folder: those of a certificate must all be there and no others, and each that follows
 * from other ones is what they give, to the byte. Of a certificate of another version of the tool the reports for people
 * are left as they are.
 * @param isSigned whether the certificate is signed, and so brings a key
 */
export function fileProblems(grounds: Grounds, isSigned: boolean): Problem[] {
  const { subject, plan, results, release, files, isSameTool } = grounds;
  const { certificate: _, ...always } = FILES;
  const expected = new Set<string>([
    ...Object.values(always),
    ...REPORTS,
    ...(plan.hints === undefined ? [] : [HINTS]),
    ...(isSigned ? [PUBLIC_KEY] : []),
  ]);
  const written: [string, Uint8Array][] = [
    [FILES.subject, jsonBytes(subject)],
    [FILES.plan, jsonBytes(plan)],
    [FILES.results, Buffer.from(jsonText(results))],
  ];
  const following: [string, Uint8Array][] = [
    [FILES.coverage, jsonBytes(certifiedCoverage(plan, release, results.checks))],
    [FILES.badge, jsonBytes(certificateBadge(subject))],
    ...(isSameTool
      ? [[FILES.repeat, Buffer.from(repeatText(subject, plan, results.target.as))] as [string, Uint8Array]]
      : []),
    ...(isSameTool ? renderedReports(results) : []),
  ];
  const other = (rows: readonly [string, Uint8Array][], message: string): Problem[] =>
    rows
      .filter(([name, bytes]) => files.has(name) && !Buffer.from(bytes).equals(files.get(name) ?? bytes))
      .map(([name]) => problem(name, message));
  return [
    ...[...expected].filter((name) => !files.has(name)).map((name) => problem(name, 'missing')),
    ...[...files.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => problem(name, 'is no file of such a certificate')),
    ...other(written, 'its text is not as it was written: a member twice, or laid out otherwise'),
    ...other(following, 'is not what follows from the results, made anew by this version'),
  ];
}
