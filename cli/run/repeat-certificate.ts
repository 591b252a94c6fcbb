import { join } from 'node:path';
import { defined } from '../../client/json.ts';
import type { Redactor } from '../../client/redact.ts';
import { compareChecks } from '../../compare/compare-checks.ts';
import { readRun } from '../../compare/side.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { describeSkip, isUnasked } from '../../engine/skip.ts';
import { firstLines, plural, present, visibleLine } from '../../engine/text.ts';
import { productVersion } from '../../engine/version.ts';
import { type CertificatePlan, type Contents, HINTS } from '../../reports/certificate/documents.ts';
import { note, print } from '../../reports/print.ts';
import { UsageError } from '../../specs/validators.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { Settings } from '../options.ts';
import { given } from '../read-options.ts';
import { resolveTargets } from './configure.ts';
import { runCommand } from './run-targets.ts';

/** The settings that decide how a site is reached, and not what is asked. */
export const REACHING = ['header', 'insecure', 'timeout', 'confirmHost', 'rate', 'concurrency'] as const;

const REPEATED = 'reports/out/repeated';
const MOST_REMARKS = 20;

/** The pace of the certificate's run, which is the default for its repetition. */
const PACE = ['concurrency', 'timeout', 'rate', 'budget'] as const;
/** What a repetition must do as that run did. */
const EXTENT = ['mode', 'seed', 'examples', 'strict', 'stage'] as const;

/** Settings that a repetition takes from a configuration file: how to reach the site, not what is checked. */
const OF_ACCESS = [...REACHING, 'user', 'passwordFrom', 'reporter'] as const;

/**
 * Runs the plan of a certificate again, with its seed, and reports which verdicts differ.
 * @returns the exit code: 0 if no verdict differs, 1 if one does, 3 if the run ended early, 4 after a fault
 * @throws UsageError if the run would not send the same as that of the certificate
 */
export async function repeatCertificate(
  folder: string,
  { plan, results }: Contents,
  asked: Settings & { readonly config?: string },
  hide: Redactor,
): Promise<number> {
  const file = accessIn(loadConfig(asked.config));
  const out = asked.out ?? REPEATED;
  const { deployment, vocabulary } = plan.contract;
  const hints = plan.hints === undefined ? undefined : join(folder, HINTS);
  const extent = defined({ deployment, vocabulary, ...given(plan, EXTENT), hints });
  const settings = { ...given(plan, PACE), ...asked, ...extent, out };
  const [target] = resolveTargets(settings, file, process.env);
  for (const line of target === undefined ? [] : differentAccess(plan, results, target)) note(line);
  const by = `the certificate: level ${plan.level} of contract ${plan.contract.release}`;
  const code = await runCommand(settings, hide, { file, required: { ids: plan.required, by } });
  const again = readRun(join(out, 'results.json'));
  const differing = differences(results.checks, again.checks, new Set(plan.required));
  const { ended } = again.run;
  const lines = present([
    `against the certificate of run ${results.run.id}: ${differing.length === 0 ? 'no verdict differs' : `${plural(differing.length, 'verdict')} differ`}`,
    firstLines(differing.map(visibleLine), MOST_REMARKS, (more) => `and ${more} more`).map(
      (line) => `  ${line}`,
    ),
    again.tool.contract !== results.tool.contract &&
      '  the contract of this version is another than that of the certificate',
    results.tool.version !== productVersion() &&
      `  ${visibleLine(results.tool.version)} asked then, ${productVersion()} now`,
    ended !== undefined && `  this run ended early: ${visibleLine(ended)}`,
  ]);
  print(process.stdout, `\n${lines.join('\n')}\n`);
  if (code === 4) return code;
  if (differing.length > 0) return 1;
  return ended === undefined ? 0 : 3;
}

function accessIn({ targets = {}, ...general }: ConfigFile): ConfigFile {
  const rows = Object.entries(targets).map(
    ([name, target]) => [name, { ...given(target, OF_ACCESS), url: target.url }] as const,
  );
  return { ...given(general, OF_ACCESS), targets: Object.fromEntries(rows) };
}

/** How access to the site differs from that of the certificate, as lines. @throws UsageError if the caller differs */
function differentAccess(
  { headers }: CertificatePlan,
  { target: { as } }: RunResult,
  { user, headers: given }: RunConfig,
): string[] {
  if (as === 'user' && user === undefined) {
    throw new UsageError(
      'the run of the certificate asked as a user: add --user NAME; the password is expected in the environment variable SITE_CONFORMANCE_PASSWORD',
    );
  }
  if (as === 'anonymous' && user !== undefined) {
    throw new UsageError(`the run of the certificate asked anonymously: leave out --user ${user}`);
  }
  const now = Object.keys(given);
  const missing = headers.filter((name) => !now.includes(name));
  const more = now.filter((name) => !headers.includes(name));
  return present([
    missing.length > 0 &&
      `the run of the certificate sent headers that this one does not: ${missing.join(', ')} (--header)`,
    more.length > 0 && `this run sends headers that the run of the certificate did not: ${more.join(', ')}`,
  ]);
}

/** The differences: other verdicts, and required checks that one of the runs left out or found inconclusive. */
function differences(
  before: readonly CheckResult[],
  after: readonly CheckResult[],
  required: ReadonlySet<string>,
): string[] {
  const was = new Map(before.map((check) => [check.id, check]));
  const is = new Map(after.map((check) => [check.id, check]));
  const { changes, drawn } = compareChecks(
    before.filter(({ id }) => required.has(id)),
    after.filter(({ id }) => required.has(id)),
    { places: {}, known: [] },
  );
  const others = changes.filter(({ kind }) => kind !== 'check-observed').map(({ place }) => place);
  const changed = [...others, ...drawn].map(
    (place) => `${place}: ${was.get(place)?.verdict} then, ${is.get(place)?.verdict} now`,
  );
  const unasked = [...required].flatMap((id) => {
    const [then, now] = [was.get(id), is.get(id)];
    if (isAsked(then) === isAsked(now)) return [];
    const [thenWords, nowWords] = [then, now].map((one) => (isAsked(one) ? one?.verdict : whyUnasked(one)));
    return [`${id}: ${thenWords} then, ${nowWords} now`];
  });
  return [...changed, ...unasked];
}

function isAsked(check: CheckResult | undefined): boolean {
  return check !== undefined && (check.skip === undefined || !isUnasked(check.skip));
}

function whyUnasked(check: CheckResult | undefined): string {
  return check?.skip === undefined ? 'not asked' : `not asked (${describeSkip(check.skip)})`;
}
