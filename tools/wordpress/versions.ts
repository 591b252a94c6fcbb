import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { isObject } from '../../client/json.ts';
import { plainRoute } from '../../client/route-pattern.ts';
import { compareSides } from '../../compare/comparison.ts';
import { listingOf } from '../../compare/declared/known-versions.ts';
import { surfaceOf } from '../../compare/declared/surface.ts';
import { readSide, type Side } from '../../compare/side.ts';
import { blockerOf } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { isReportedElsewhere } from '../../engine/skip.ts';
import { dayOf } from '../../engine/text.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { versionsView } from '../../reports/views/versions.ts';
import { loadVersions, VERSIONS_PATH, type Versions } from '../../specs/versions/versions.ts';
import { coreVersions } from './prepare-site.ts';
import { asked } from './run-command.ts';

// Runs the suite in mode read against each version of WordPress, and writes the table: data, document and, with
// --html, a page. --from DIR uses existing runs. --turn runs one older version, another one every third day, and
// compares it with the table.

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs', 'versions.md');
/** A theme that every version supports, because an upgrade keeps the theme. */
const THEME = 'twentytwentythree';
const TRIED: readonly string[] = coreVersions.filter((version) => version !== 'debian');
const LETTERS = { pass: 'p', warn: 'w', fail: 'f', inconclusive: 'i', skip: '-', error: '-' } as const;
const LONGEST = 160;
/** `.ci/run` runs one every third day. */
const TURN = 3 * 86_400_000;

interface Tried {
  readonly version: string;
  readonly side: Side;
  readonly run: RunResult;
}

const { values } = parseArgs({
  options: { from: { type: 'string' }, html: { type: 'string' }, turn: { type: 'boolean' } },
});
const kept = values.from;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'site-conformance-versions-'));
try {
  if (values.turn === true) process.exitCode = await tryTurn();
  else await makeTable();
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

async function makeTable(): Promise<void> {
  const versions = versionsOf(await Array.fromAsync(TRIED, (version) => triedOf(version)));
  mkdirSync(dirname(VERSIONS_PATH), { recursive: true });
  writeFileSync(VERSIONS_PATH, JSON.stringify(versions));
  const view = versionsView(versions);
  writeFileSync(DOCUMENT, renderMarkdown(view));
  execFileSync('npx', ['biome', 'format', '--write', VERSIONS_PATH, DOCUMENT], { cwd: ROOT });
  if (values.html !== undefined) writeFileSync(values.html, renderPage(view));
}

/** Runs one of the older versions, chosen by the day. Its verdicts must equal the table. */
async function tryTurn(): Promise<number> {
  const older = TRIED.slice(0, -1);
  const version = older[Math.floor(Date.now() / TURN) % older.length] ?? '';
  const table = loadVersions();
  const at = table.runs.findIndex((run) => run.version === version);
  if (at === -1) throw new Error(`the table has no ${version}: npm run versions`);
  const { run } = await triedOf(version, ['--profile', 'quick', '--tour', 'none']);
  const known = new Map(
    Object.entries(table.verdicts).flatMap(([letters, ids]) => ids.map((id) => [id, letters[at]] as const)),
  );
  const others = run.checks.filter((check) => {
    const letter = known.get(check.id);
    const now = letterOf(check);
    return check.fuzz !== true && letter !== now && [letter, now].includes('f');
  });
  console.log(`WordPress ${version}: ${run.counts.pass} pass, ${run.counts.fail} fail`);
  for (const check of others) {
    console.log(`  ${check.id}: ${letterOf(check)}, and ${known.get(check.id) ?? 'nothing'} in the table`);
  }
  return others.length === 0 ? 0 : 1;
}

async function triedOf(version: string, how: readonly string[] = []): Promise<Tried> {
  const out = join(folder, version);
  if (kept === undefined) {
    console.error(`WordPress ${version}`);
    const run = ['run', ...asked('{url}', '{user}'), '--seed', '1', '--quiet', '--out', out, ...how];
    const program = [process.execPath, join(ROOT, 'cli', 'site-conformance.js'), ...run];
    const site = [join(ROOT, 'tools', 'wordpress.ts'), 'exec', '--version', version, '--theme', THEME];
    await promisify(execFile)(process.execPath, [...site, '--', ...program]).catch((error: unknown) => {
      // Checks may fail.
      if (!isObject(error) || error.code !== 1) throw error;
    });
  }
  const side = readSide(out);
  if (side.run === undefined) throw new Error(`${out} holds no run`);
  return { version, side, run: side.run };
}

function versionsOf(tried: readonly Tried[]): Versions {
  const [latest] = tried.slice(-1);
  const ids = [...new Set(tried.flatMap(({ run }) => run.checks.map(({ id }) => id)))].toSorted();
  const known = tried.map(({ run }) => new Map(run.checks.map((check) => [check.id, check])));
  const lettersOf = (id: string): string => known.map((checks) => letterOf(checks.get(id))).join('');
  const verdicts = Map.groupBy(ids, lettersOf);
  const failures = ids.flatMap((id) => {
    const message = known.map((checks) => failureIn(checks, id)).findLast((one) => one !== undefined);
    return message === undefined ? [] : [[id, message.slice(0, LONGEST)]];
  });
  return {
    format: 1,
    software: 'WordPress',
    contract: latest?.run.tool.contract ?? '',
    runs: tried.map(({ version, run }) => ({
      version,
      day: dayOf(run.run.started),
      mode: run.run.mode,
      requests: run.run.requests,
    })),
    verdicts: Object.fromEntries([...verdicts].filter(([letters]) => /[^-]/.test(letters)).toSorted()),
    failures: Object.fromEntries(failures),
    steps: tried.flatMap((before, at) => tried.slice(at + 1, at + 2).map((after) => stepOf(before, after))),
    namespaces: [...new Set(tried.flatMap(({ side }) => [...surface(side).namespaces]))].toSorted(),
    came: cameOf(tried),
  };
}

function stepOf(before: Tried, after: Tried): Versions['steps'][number] {
  const { groups } = compareSides(before.side, after.side);
  const of = (found: string): Versions['steps'][number]['breaking'] =>
    groups
      .filter((group) => group.class === found)
      .map(({ digest, headline }) => ({ id: digest, headline: plainRoute(headline) }));
  const others = of('compatible');
  return {
    from: before.version,
    to: after.version,
    breaking: of('breaking'),
    unknown: of('unknown'),
    compatible: others.length,
    others,
  };
}

/** What each version was the first to list, if all later ones list it too. */
function cameOf(tried: readonly Tried[]): Versions['came'] {
  const listings = tried.map(({ side }) => listingOf(surface(side)));
  const known = new Set<string>();
  return Object.fromEntries(
    tried.map(({ version }, at) => {
      const later = listings.slice(at);
      const came = [...(listings[at] ?? [])].filter(
        (one) => !known.has(one) && later.every((all) => all.has(one)),
      );
      for (const one of listings[at] ?? []) known.add(one);
      // Parameters of a new route are left out, and so are those of the first version, because there are too many.
      const routes = new Set(came.filter((one) => one.startsWith('/')));
      return [
        version,
        came
          .filter((one) => !one.includes(' ') || (at > 0 && !routes.has(one.split(' ')[1] ?? '')))
          .toSorted(),
      ];
    }),
  );
}

function surface({ index, url }: Side): ReturnType<typeof surfaceOf> {
  if (index === undefined) throw new Error('a run has no index');
  return surfaceOf(index, url);
}

/** What a check found, if it failed, in the words of the one that reports it, without the others that find the same. */
function failureIn(checks: ReadonlyMap<string, CheckResult>, id: string): string | undefined {
  const check = checks.get(id);
  const by = isReportedElsewhere(check?.skip) && check !== undefined ? blockerOf(check) : undefined;
  const { verdict, message } = (by === undefined ? check : checks.get(by)) ?? {};
  return verdict === 'fail' ? message?.replace(/; \d+ other checks? finds? the same: .*$/s, '') : undefined;
}

function letterOf(check: CheckResult | undefined): string {
  if (check === undefined) return '-';
  if (isReportedElsewhere(check.skip)) return LETTERS.fail;
  return check.skip?.kind === 'blocked' ? 'b' : LETTERS[check.verdict];
}
