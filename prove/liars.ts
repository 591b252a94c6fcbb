import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../client/json.ts';
import { foreignIn, LIARS, LIED_TO } from '../sites/hostile/liars.ts';
import { type Census, changedIn, madeIn, type OpenServer, openServer } from '../sites/hostile/open-server.ts';
import { aimsOf, isAuthenticated } from '../sites/hostile/server.ts';
import { readPosts } from './posts-table.ts';

// Runs the suite in mode write against a real WordPress with each lying proxy in front of it, and compares the table of
// posts before and after by a look at the database itself. For `npm run wordpress -- exec`, which sets the environment;
// arguments are words in the names of the liars, all of them without.

const MAIN = join(import.meta.dirname, '..', 'cli', 'main.ts');

/** What came of a liar. */
interface Row {
  readonly name: string;
  readonly code: number;
  readonly failed: number;
  /** Rows that were there and are not as they were. */
  readonly changed: number;
  /** Requests with credentials that would change a record which was there. */
  readonly sent: number;
  /** Records that the run has left, and those among them that it does not name. */
  readonly stayed: number;
  readonly unreported: number;
}

const { WORDPRESS_URL: url, WORDPRESS_DATABASE: database, SITE_CONFORMANCE_USER: user } = process.env;
const { SITE_CONFORMANCE_PASSWORD: password = '' } = process.env;
if (url === undefined || database === undefined || user === undefined) {
  throw new Error('this is a command for: npm run wordpress -- exec --');
}
const words = process.argv.slice(2);
const chosen = Object.entries(LIARS).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
console.log('liar | exit | failed | rows changed | writes to others | left | left and not named');
let isSafe = true;
for (const [name, liar] of chosen) {
  const before = readPosts(database);
  const site = { url, user, password };
  const open = await openServer({ handler: () => liar(foreignIn(before)) }, { site });
  const row = await run(name, open, database, before, user).finally(() => open.close());
  const { code, failed, changed, sent, stayed, unreported } = row;
  console.log([name, code, failed, changed, sent, stayed, unreported].join(' | '));
  isSafe &&= changed + sent + unreported === 0;
}
process.exitCode = isSafe ? 0 : 1;

async function run(
  name: string,
  open: OpenServer,
  file: string,
  before: Census,
  login: string,
): Promise<Row> {
  const out = mkdtempSync(join(tmpdir(), 'site-conformance-liars-'));
  try {
    const about = ['--deployment', 'core', '--vocabulary', 'wordpress', '--user', login, '--mode', 'write'];
    const args = ['run', '--target', open.url, ...about, '--only', ...LIED_TO, '--out', out];
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
    const [code]: unknown[] = await once(child, 'exit');
    const result: unknown = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
    const after = readPosts(file);
    const made = madeIn(before, after).map((place) => Number(place.split('/')[1]));
    const named = reportedBy(result);
    return {
      name,
      code: typeof code === 'number' ? code : -1,
      failed: countFailed(result),
      changed: changedIn(before, after).length,
      sent: open.seen
        .filter(isAuthenticated)
        .flatMap(aimsOf)
        .filter((place) => before.has(place)).length,
      stayed: made.length,
      unreported: made.filter((id) => !named.has(id)).length,
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The ids that a result names as left, or as perhaps its own. */
function reportedBy(result: unknown): ReadonlySet<unknown> {
  const writing = isObject(result) && isObject(result.writing) ? result.writing : {};
  const rows = (name: string): unknown[] => {
    const value = writing[name];
    return Array.isArray(value) ? value : [];
  };
  const left = rows('left').map((one) => (isObject(one) ? one.id : undefined));
  const appeared = rows('census').flatMap((one) =>
    isObject(one) && typeof one.unanswered === 'number' && Array.isArray(one.appeared) ? one.appeared : [],
  );
  return new Set([...left, ...appeared]);
}

function countFailed(result: unknown): number {
  const counts = isObject(result) && isObject(result.counts) ? result.counts : {};
  return typeof counts.fail === 'number' ? counts.fail : -1;
}
