import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { showBase } from '../../client/address.ts';
import type { Redactor } from '../../client/redact.ts';
import { finishRun } from '../../engine/finish.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import type { CheckOutcome, CrossingRun } from '../../suites/vitest-context.ts';
import { loadConfig } from '../config.ts';
import { argumentsFromEnvironment, readSettings } from '../read-options.ts';
import { explain, PlainError, UsageError } from '../shell/errors.ts';
import { hideSecrets } from '../shell/hide-secrets.ts';
import { leftoversOf } from '../shell/leftovers.ts';
import { beginWriting, headOf, type RunHead } from './begin-run.ts';
import { changed, chooseTargets, resolveTargets, settleTargets } from './configure.ts';
import { baselineOf } from './earlier-run.ts';
import { checkExamples, examplesFor } from './examples-file.ts';
import { readyTarget } from './ready-target.ts';
import { finishOptions } from './run-target.ts';

/** One deployment that is being checked, and what ends it. */
interface Begun {
  readonly config: RunConfig;
  readonly head: RunHead;
  readonly crossing: CrossingRun;
  /** @returns what was left on the target, in a line for each */
  end(): Promise<string[]>;
}

/**
 * Prepares the project `conformance` of vitest: begins a run that vitest itself was asked for, with settings from the environment and the configuration file, the same
 * preflight and the same clean-up as the command line has; reports and exit code are vitest's.
 * @returns the end of the run: removes what it made
 * @throws Error with one line; also from the end, when nothing could be concluded or something was left.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let hide = hideSecrets([], process.env);
  const scratch = mkdtempSync(join(tmpdir(), 'site-conformance-'));
  const begun: Begun[] = [];
  const end = async (): Promise<string[]> => {
    const stayed: string[] = [];
    for (const one of begun) stayed.push(...(await one.end()));
    rmSync(scratch, { recursive: true, force: true });
    return stayed;
  };
  try {
    if (project.vitest.config.watch) throw new UsageError('the suite does not watch: vitest run');
    const args = argumentsFromEnvironment(process.env);
    hide = hideSecrets(args, process.env);
    const { config, ...settings } = readSettings(args);
    const resolved = changed(resolveTargets(settings, loadConfig(config), process.env), examplesFor);
    const settled = await settleTargets(resolved, process.env, say);
    const chosen = chooseTargets(settled, process.env);
    const targets = changed(chosen, (target) => baselineOf(target, chosen.length > 1));
    checkExamples(targets);
    for (const [at, target] of targets.entries())
      begun.push(await begin(target, join(scratch, `index-${at}.json`)));
    project.provide(
      'conformance',
      begun.map(({ crossing }) => crossing),
    );
  } catch (error) {
    await end();
    throw plainError(error, hide);
  }
  return async () => {
    const doubts = [...inconclusive(project, begun), ...(await end())];
    for (const folder of new Set(begun.map(({ config }) => resolve(config.out)))) {
      for (const line of leftoversOf(folder)) say(line);
    }
    if (doubts.length > 0) throw new PlainError(visibleLine(hide(doubts.join('; '))));
  };
}

async function begin(target: RunConfig, indexPath: string): Promise<Begun> {
  const { config, preflight, close } = await readyTarget(target, new AbortController().signal);
  try {
    const head = headOf(config, preflight, indexPath, new Date());
    const { url, deployment } = head.target;
    say(
      `${url} against deployment ${deployment}, mode ${config.mode}, seed ${config.seed}, run ${head.run.id}`,
    );
    const writing = await beginWriting(config, head, resolve(config.out), say).catch((error: unknown) => {
      head.kept.release();
      throw error;
    });
    const { base, contract: _contract, earlier: _earlier, own: _own, plan: _plan, ...crossing } = config;
    return {
      config,
      head,
      crossing: {
        ...crossing,
        address: showBase(base),
        indexFile: head.kept.file,
        journal: writing?.journal,
      },
      async end() {
        head.kept.release();
        const written = await writing?.end().finally(close);
        if (writing === undefined) await close();
        const stays = (written?.left.length ?? 0) + (written?.doubts.length ?? 0) > 0;
        return stays ? [`records of run ${head.run.id} may remain on ${url}`] : [];
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The runs that allow no conclusion, or fail without a failing test. Where vitest's filters leave a deployment out, nothing is expected of it. */
function inconclusive(project: TestProject, begun: readonly Begun[]): string[] {
  const outcomes = outcomesOf(project);
  const lines: string[] = [];
  for (const [at, { config, head }] of begun.entries()) {
    const mine = outcomes.filter(({ run }) => run === at);
    if (mine.length === 0 && outcomes.length > 0) continue;
    const ended = mine.find((outcome) => outcome.ended !== undefined)?.ended;
    const checks = mine.map(({ result }) => result);
    const shared = { ...config, earlier: config.earlier && sharedOf(config.earlier, checks) };
    const { conclusion, news, reason, waivers } = finishRun(
      head,
      { checks, notices: head.notices, fields: [] },
      { seconds: 0, requests: 0, retries: 0, ...(ended !== undefined && { ended }) },
      finishOptions(shared, head, checks),
    ).result;
    if (news !== undefined) say(reason);
    if (news === undefined ? conclusion === 'inconclusive' : news === 'untold')
      lines.push(`nothing can be concluded about ${head.target.url}: ${reason}`);
    if (waivers?.refused !== undefined) lines.push(`${head.target.url}: ${reason}`);
  }
  return lines;
}

/** An earlier run without what vitest's filters leave out now: of that there is no result. */
function sharedOf(earlier: RunResult, checks: readonly CheckResult[]): RunResult {
  const asked = new Set(checks.map(({ id }) => id));
  return { ...earlier, checks: earlier.checks.filter(({ id }) => asked.has(id)) };
}

function outcomesOf(project: TestProject): CheckOutcome[] {
  return project.vitest.state
    .getTestModules()
    .filter((module) => module.project === project)
    .flatMap((module) => [...module.children.allTests()])
    .flatMap((test) => test.meta().outcome ?? []);
}

/** Standard output belongs to vitest's reporters. */
function say(line: string): void {
  print(process.stderr, `site-conformance: ${visibleLine(line)}\n`);
}

/** The line that the command line would print, with the place in our code for a fault of the suite alone. */
function plainError(error: unknown, hide: Redactor): PlainError {
  const { line, details } = explain(error, hide);
  return new PlainError(line, details);
}
