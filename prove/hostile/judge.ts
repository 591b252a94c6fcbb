import type { HostileServer } from '../../sites/hostile/hostile-server.ts';
import type { Evidence } from './evidence.ts';
import { judgeLeft, judgeTouched } from './judge-records.ts';
import { judgeEnding, judgeReports, readResult } from './judge-reports.ts';
import { judgeMethods } from './judge-requests.ts';
import { judgeTexts } from './judge-texts.ts';
import type { Judgement, Miss } from './miss.ts';

/** What a run may take. */
export interface ServerBounds {
  readonly seconds: number;
  readonly bytes: number;
  /** What may stand nowhere. */
  readonly secrets: readonly string[];
}

/**
 * Judges a run against a server: by what is expected of that server, and by what is expected of every run.
 * @returns what is not as it must be
 */
export function judge(
  server: Pick<HostileServer, 'mode' | 'expected'>,
  evidence: Evidence,
  bounds: ServerBounds,
): Miss[] {
  const { ran } = evidence;
  const result = readResult(evidence.files);
  const found: [Judgement, string[]][] = [
    ['exit code', judgeCode(server.expected.codes, ran.code)],
    ['ending', judgeEnding(server.expected.endings, result)],
    ['reports', judgeReports(ran.code, evidence.files, result)],
    [
      'time',
      ran.seconds > bounds.seconds
        ? [`${ran.seconds.toFixed(1)} s, ${bounds.seconds.toFixed(1)} s at most`]
        : [],
    ],
    [
      'memory',
      ran.bytes > bounds.bytes ? [`${megabytes(ran.bytes)}, ${megabytes(bounds.bytes)} at most`] : [],
    ],
    ['secrets', judgeSecrets(evidence, bounds.secrets)],
    ['texts', judgeTexts(ran)],
    ['methods', judgeMethods(server.mode, evidence.seen)],
    ['origin', evidence.strayed.map(({ method, url }) => `${method} ${url} reached another origin`)],
    ['foreign records', judgeTouched(evidence)],
    ['left records', judgeLeft(evidence, result)],
    ['processes', ran.survivors > 0 ? [`${ran.survivors} outlived the run`] : []],
  ];
  return found.flatMap(([judgement, whys]) => (whys.length === 0 ? [] : [{ judgement, why: summary(whys) }]));
}

function judgeCode(codes: readonly number[], code: number | undefined): string[] {
  if (code !== undefined && codes.includes(code)) return [];
  return [`${code ?? 'none: ended by force'} in place of ${codes.join(' or ')}`];
}

function judgeSecrets({ ran, files }: Evidence, secrets: readonly string[]): string[] {
  const places = new Map(files).set('standard output', ran.stdout).set('standard error', ran.stderr);
  return [...places].flatMap(([place, bytes]) => {
    // The secret itself is not shown: this is printed.
    const at = secrets.findIndex((secret) => place.includes(secret) || bytes.includes(secret));
    return at < 0 ? [] : [`spelling ${at + 1} of ${secrets.length} in ${place}`];
  });
}

const SHOWN = 3;

function summary(whys: readonly string[]): string {
  const rest = whys.length - SHOWN;
  return `${whys.slice(0, SHOWN).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
