import { join } from 'node:path';
import type { RunResult } from '../../engine/result.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { COMMAND } from '../../prove/hostile/run-watched.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { runView } from '../../reports/views/run/run.ts';
import { readJson, validatorOf } from '../../specs/validators.ts';
import { delaysOf, observeKeys, openPage, startChromium } from '../pages/open-page.ts';
import { renderTable, runNode, scaled } from './measure.ts';

const SIZES = scaled([1000, 5000, 10_000], [1000]);

/**
 * Measures pages of runs: how large they are, how long they take to make, and how long from a key to what it shows. The
 * checks are those of a run, again and again under other operations: of `path`, or of the embedded deployment A.
 */
async function main(path: string | undefined): Promise<void> {
  const run = path === undefined ? await runOfA() : readResult(path);
  const browser = await startChromium();
  const rows = [['checks', 'size', 'made in', 'median delay of a key', 'longest']];
  for (const size of SIZES) {
    const result = grown(run, size);
    const begun = performance.now();
    const text = renderPage(runView(result));
    const made = performance.now() - begun;
    await using open = await openPage(browser, text);
    await observeKeys(open.page);
    await open.page.focus('#query');
    await open.page.keyboard.type(result.checks[0]?.title ?? '', { delay: 150 });
    await open.page.waitForSelector('#found li');
    const delays = await delaysOf(open.page);
    const at = (share: number): string =>
      `${delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 'under 16'} ms`;
    const megabytes = (Buffer.byteLength(text) / 1e6).toFixed(2);
    rows.push([String(size), `${megabytes} MB`, `${made.toFixed(0)} ms`, at(0.5), at(1)]);
  }
  await browser.close();
  process.stdout.write(renderTable(rows));
}

function readResult(path: string): RunResult {
  const run = readJson(path);
  const isResult = validatorOf<RunResult>('result.schema.json');
  if (!isResult(run)) throw new Error(`${path} is not the results.json of a run`);
  return run;
}

/** The checks of one list of A. */
async function runOfA(): Promise<RunResult> {
  using out = temporaryFolder('bench');
  const only = ['--deployment', 'a', '--only', 'posts.list/**'];
  await runNode([...COMMAND, 'run', ...only, '--seed', '1', '--out', out.path]);
  return readResult(join(out.path, 'results.json'));
}

/** So many checks: those of the run, and again with a number in their operation. */
function grown(run: RunResult, size: number): RunResult {
  const { checks } = run;
  const more = Array.from({ length: size }, (_unused, at) => {
    const check = checks[at % checks.length];
    const turn = Math.floor(at / checks.length);
    if (check === undefined || turn === 0) return check;
    const { operation } = check;
    return {
      ...check,
      id: `again-${turn}.${check.id}`,
      ...(operation !== undefined && { operation: `again-${turn}.${operation}` }),
    };
  });
  return { ...run, checks: more.filter((check) => check !== undefined) };
}

await main(process.argv[2]);
