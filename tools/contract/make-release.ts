import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldReleases, RELEASES_FOLDER, readReleaseFiles } from '../../specs/releases.ts';
import { currentContract, difference, releaseText, unreleased } from './current.ts';

// npm run contract -- VERSION: makes a release of the current contract. The newest release can be made again by its
// version, as long as nobody has certified against it.
const [version = ''] = process.argv.slice(2);
const files = readReleaseFiles();
const newest = files.at(-1);
if (!/^\d+\.\d+$/.test(version)) {
  process.stderr.write('expected the version of a release, such as 1.1: npm run contract -- VERSION\n');
  process.exitCode = 2;
} else if (files.some((file) => file.version === version && file !== newest)) {
  process.stderr.write(`release ${version} stands: a later one follows it\n`);
  process.exitCode = 2;
} else {
  const now = currentContract();
  const before = foldReleases(newest?.version === version ? files.slice(0, -1) : files).at(-1);
  if (before !== undefined && unreleased(before, now) === undefined) {
    // Without a change there is no release.
    rmSync(join(RELEASES_FOLDER, `${version}.json`), { force: true });
    process.stdout.write(`nothing has changed since release ${before.version}\n`);
  } else {
    const after = before === undefined ? {} : { after: before.version };
    const { contracts } = now;
    const text = releaseText({ format: 1, version, ...after, contracts, ...difference(before, now) });
    writeFileSync(join(RELEASES_FOLDER, `${version}.json`), text);
    process.stdout.write(`specs/releases/${version}.json\n`);
  }
}
