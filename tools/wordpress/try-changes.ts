import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRun } from '../../compare/side.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { runSuite, startedSite } from './run-command.ts';

// Makes a contract of a plugin on a real WordPress, changes the plugin, and compares the
// findings of a run with the changes.

/** The findings for each change, by verdict and check id. */
const CHANGES: Readonly<Record<string, string>> = {
  'narrower-enum': 'fail acme-v1-orders.list/status/enum',
  'dropped-default': 'fail acme-v1-orders.list/status/default',
  'removed-field': 'fail records/acme-v1-orders.list/properties/weight/declared',
  'not-enforced': 'warn acme-v1-orders.list/min_total/type/enforced',
  'lost-route': 'fail routes/acme/v1/prices/present',
  'lost-method': 'fail acme-v1-orders.delete/method/DELETE',
  'lost-context': 'fail records/acme-v1-orders.list/properties/customer/contexts',
  'other-type': 'fail records/acme-v1-orders.list/properties/weight/type',
  'newly-required': 'fail acme-v1-orders.list/min_total/required',
  // The mark belongs to the whole route.
  'lost-batch-mark': 'fail acme-v1-orders.list/batch-mark\nfail acme-v1-orders.create/batch-mark',
};

const ONLY = ['**/acme/**', 'acme*/**', 'records/acme*/**', 'namespaces/acme/**'];

const { url, user, content } = startedSite(
  '--plugin tools/wordpress/orders-plugin.php -- node tools/wordpress/try-changes.ts',
);
const changes = join(content, 'mu-plugins', 'orders-changes.txt');
using scratch = temporaryFolder('changes');
const folder = scratch.path;
const config = join(folder, 'site-conformance.config.json');
let wrong = 0;
try {
  await runSuite('init', '--target', url, '--user', user, '--out', folder);
  for (const [change, expected] of [['none', ''], ...Object.entries(CHANGES)]) {
    writeFileSync(changes, `${change}\n`);
    const found = await findings();
    const isRight = found.join('\n') === expected;
    if (!isRight) wrong += 1;
    console.log(`${isRight ? 'ok   ' : 'WRONG'} ${change}: ${found.join(', ') || 'nothing'}`);
  }
} finally {
  rmSync(changes, { force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

async function findings(): Promise<string[]> {
  const out = join(folder, 'out');
  // WordPress itself fails for a list in the root of any namespace.
  const which = ['--only', ...ONLY, '--skip', '*.root/fuzz/robust'];
  await runSuite('run', '--config', config, '--out', out, '--seed', '1', '--profile', 'quick', ...which);
  return readRun(out)
    .checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error')
    .map(({ verdict, id }) => `${verdict} ${id}`);
}
