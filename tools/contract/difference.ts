import { isDeepStrictEqual } from 'node:util';
import type { Release, ReleasedCheck, ReleaseFile } from '../../specs/releases.ts';

/** What a contract changes in a release: which checks come, go, or ask something else. */
type Difference = Pick<ReleaseFile, 'added' | 'dropped' | 'changed'>;

/** Compares a contract with a release, by check id. @param before undefined for the first release */
export function difference(before: Release | undefined, now: Omit<Release, 'version'>): Difference {
  const was = before?.checks ?? new Map<string, ReleasedCheck>();
  const rows = [...now.checks];
  return {
    added: Object.fromEntries(rows.filter(([id]) => !was.has(id))),
    dropped: [...was.keys()].filter((id) => !now.checks.has(id)),
    changed: Object.fromEntries(
      rows.filter(([id, row]) => was.has(id) && !isDeepStrictEqual(was.get(id), row)),
    ),
  };
}

/** What is not in the newest release, in one sentence; undefined where nothing is missing. */
export function unreleased(newest: Release, now: Omit<Release, 'version'>): string | undefined {
  const { added, dropped, changed } = difference(newest, now);
  const counts = [Object.keys(added).length, dropped.length, Object.keys(changed).length];
  const sameDigests = isDeepStrictEqual(newest.contracts, now.contracts);
  if (sameDigests && counts.every((count) => count === 0)) return undefined;
  return (
    `the contract is not that of release ${newest.version}: ${counts[0]} checks added, ${counts[1]} dropped, ` +
    `${counts[2]} changed${sameDigests ? '' : ', other digests'}; make a release: npm run contract -- VERSION`
  );
}

/** The text of the file of a release: one line for each check, so that a change of one is a change of one line. */
export function releaseText(file: ReleaseFile): string {
  const { added, changed, dropped, contracts, ...head } = file;
  const lines = (rows: object): string =>
    Object.entries(rows)
      .map(([id, row]) => `\n    ${JSON.stringify(id)}: ${JSON.stringify(row)}`)
      .join(',');
  const heads = Object.entries(head).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`);
  return (
    `{\n${heads.join('')}  "contracts": {${lines(contracts)}\n  },\n  "added": {${lines(added)}\n  },\n` +
    `  "dropped": [${dropped.map((id) => `\n    ${JSON.stringify(id)}`).join(',')}\n  ],\n  "changed": {${lines(changed)}\n  }\n}\n`
  );
}
