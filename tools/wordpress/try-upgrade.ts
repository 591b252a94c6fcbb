import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareSides } from '../../compare/comparison.ts';
import { readSide, type Side } from '../../compare/side.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { asked, runSuite, startedSite } from './run-command.ts';

// Upgrades a plugin on a real WordPress in twenty-six ways that the index does not show, and prints what a
// comparison of two runs reports.

/** What must be reported, each once, and nothing else. */
const EXPECTED: readonly string[] = [
  'breaking prices: `amount` is a text, not a fraction',
  'breaking prices: `discount` is null, not an integer',
  'breaking prices: `options` is a list, not an object',
  'breaking dates: `shipped` is a date-time with a zone, not a date-time without zone',
  'breaking dates: `paid` is a plain text, not a date-time without zone',
  'breaking dates: `invoice` is a relative address, not an address of the site',
  'breaking names: `short` was removed',
  'unknown texts: unmodified records are rendered differently, without paragraphs: html',
  'unknown headers: the header `etag` was removed',
  'breaking totals: the totals of lists no longer match the lists',
  'unknown order: the same records are in another order',
  'breaking rights: an anonymous caller is now denied, and was answered',
  'exposed secrets: an anonymous caller is now answered, and was denied',
  'exposed people: email now shows mail addresses to an anonymous caller',
  'unknown codes: the code of "unknown record" was shop_unknown and is shop_not_found',
  'unknown statuses: the status of "unknown record" was 404 and is 410',
  'breaking shapes: the answer was list and is object',
  'breaking noisy: answers cannot be read as JSON: notices of PHP before the JSON',
  'breaking faults: refused with 500, and was answered',
  'breaking flags: `active` is an integer, not a boolean',
  'unknown terms: `description` is empty, not a plain text',
  'unknown units: every record has another value than before: cost',
  'unknown labels: `price` is another text, not a number text',
  'breaking closed: the caller "user" is now denied, and was answered',
  'breaking doubles: the same record is twice on one page of a list',
  'breaking walls: the status of "denied" was 401 and is 200',
];

const TOUR = ['index/name/**', '--tour', 'full'];
const { url, user, content } = startedSite(
  '--plugin tools/wordpress/upgrade-plugin.php -- node tools/wordpress/try-upgrade.ts',
);
const upgrade = join(content, 'mu-plugins', 'upgraded.txt');
const before = await sideOf(url, user);

async function sideOf(url: string, user: string): Promise<Side> {
  using out = temporaryFolder('side');
  const how = ['--mode', 'read', '--quiet', '--seed', '1', '--reporter', 'json', '--out', out.path];
  await runSuite('run', ...asked(url, user), ...how, '--only', ...TOUR);
  return readSide(out.path);
}
writeFileSync(upgrade, '');
const { groups } = compareSides(before, await sideOf(url, user));
rmSync(upgrade);
const said = groups
  .filter((group) => group.class !== 'compatible')
  .map(
    (group) =>
      `${group.class} ${group.headline.replace('/shop/v1/', '').replace(/\/\{id\}|: \d+ (?:routes|methods)$/g, '')}`,
  );
const missed = EXPECTED.filter((one) => !said.includes(one));
const untrue = said.filter((one) => !EXPECTED.includes(one));
for (const one of said) console.log(`${untrue.includes(one) ? 'UNTRUE' : 'ok   '} ${one}`);
for (const one of missed) console.log(`MISSED ${one}`);
process.exitCode = missed.length + untrue.length === 0 ? 0 : 1;
