import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BlameDocument } from '../../compare/blame/document.ts';
import { readComparison } from '../../compare/comparison.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { readValidated } from '../../specs/validators.ts';
import { asked, runSuite, startedSite } from './run-command.ts';

// Lets `blame` find the culprit on a real WordPress among 24 plugins made for it, and prints the cost of each search.

/** The effects of some plugins. The others add a filter that changes nothing. */
const PLUGINS: Readonly<Record<number, string>> = {
  5: `add_filter('rest_prepare_post', function ($response) {
  $response->data['author'] = (string) $response->data['author'];
  return $response;
});`,
  8: 'function blame_eight() {}',
  13: `add_filter('rest_post_dispatch', function ($response) {
  $headers = $response->get_headers();
  unset($headers['X-WP-TotalPages']);
  $response->set_headers($headers);
  return $response;
});`,
  19: `add_filter('rest_endpoints', function ($routes) {
  if (function_exists('blame_eight')) unset($routes['/wp/v2/search']);
  return $routes;
});`,
};
const HOW_MANY = 24;
const NOTHING = "add_filter('rest_pre_dispatch', function ($result) { return $result; });";

const { url, user, content } = startedSite('-- node tools/wordpress/try-blame.ts');
using scratch = temporaryFolder('blame');
const folder = scratch.path;
const target = asked(url, user);
let wrong = 0;
await tryPlugins();
process.exitCode = wrong === 0 ? 0 : 1;

async function tryPlugins(): Promise<void> {
  const mounted = join(content, 'mu-plugins');
  mkdirSync(mounted, { recursive: true });
  const reset = `rm -f '${mounted}'/blame-*.php`;
  const steps = Array.from({ length: HOW_MANY }, (_, at): [string, string] => {
    const file = `blame-${String(at + 1).padStart(2, '0')}.php`;
    writeFileSync(join(folder, file), `<?php\n${PLUGINS[at + 1] ?? NOTHING}\n`);
    return [`plugin-${at + 1}`, `cp '${join(folder, file)}' '${mounted}'`];
  });
  const only = ['posts.list/**', 'index/**', '--tour', 'short', '--seed', '1', '--profile', 'quick'];
  const run = (out: string): Promise<number> =>
    runSuite('run', ...target, '--quiet', '--out', join(folder, out), '--only', ...only);
  await run('before');
  for (const [, command] of steps) await promisify(execFile)('sh', ['-c', command]);
  await run('after');
  await promisify(execFile)('sh', ['-c', reset]);
  await runSuite('diff', join(folder, 'before'), join(folder, 'after'), '--out', folder);
  const search = { before: join(folder, 'before'), reset, steps };
  await blame(search, causeOf('`author`'), 'plugin-5');
  await blame(search, causeOf('x-wp-totalpages'), 'plugin-13');
  await blame(search, causeOf('/wp/v2/search'), 'plugin-8', 'plugin-19');
  await blame(search, 'any', 'plugin-5');
}

/** The cause whose headline has some words; otherwise the words. */
function causeOf(words: string): string {
  const { groups } = readComparison(folder);
  const found = groups.find(({ headline }) => headline.includes(words));
  if (found === undefined) console.log(`WRONG no cause "${words}"`);
  return found?.digest ?? words;
}

/** One search, and the steps that it must find. */
async function blame(
  { before, reset, steps }: { before: string; reset: string; steps: readonly (readonly [string, string])[] },
  change: string,
  ...expected: string[]
): Promise<void> {
  const out = mkdtempSync(join(folder, 'search-'));
  const started = Date.now();
  const about = ['--before', before, '--comparison', folder, '--change', change];
  const given = steps.flatMap(([name, command]) => ['--step', `${name}=${command}`]);
  await runSuite('blame', ...about, '--reset', reset, '--out', out, ...given, ...target);
  const path = join(out, 'blame.json');
  if (!existsSync(path)) return complain(`${change}: no search`);
  const document = readValidated<BlameDocument>(path, 'blame.schema.json');
  const { found, inconclusive = '', left = '', tests, spent } = document;
  const isRight = found?.steps.join() === expected.join() && left === '';
  const took = `${tests.length} tests, ${spent.resets} resets, ${spent.steps} steps, ${spent.requests} requests, ${Math.round((Date.now() - started) / 1000)} s`;
  const text = `${found?.headline ?? change}: ${found?.steps.join(' and ') ?? inconclusive} (${took})${left}`;
  if (isRight) console.log(`ok    ${text}`);
  else complain(text);
}

function complain(text: string): void {
  wrong += 1;
  console.log(`WRONG ${text}`);
}
