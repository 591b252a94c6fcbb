import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { byName } from '../../client/json.ts';
import type { Check } from '../../engine/check.ts';
import { selectorOf } from '../../engine/glob.ts';
import { levelOf } from '../../engine/plan.ts';
import { loadContract } from '../../specs/contract.ts';
import { namesIn } from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import type { Basis } from '../../specs/operation-file.ts';
import { contractKey, type Release, type ReleasedCheck, type ReleaseFile } from '../../specs/releases.ts';
import { textsOf } from '../../specs/texts.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { coverageOf, requirementsByCheck } from '../../suites/coverage/coverage.ts';

const DIGITS = 12;

interface Gathered {
  readonly check: Check;
  readonly in: Set<string>;
  readonly asks: Set<string>;
  readonly requirements: Set<string>;
  readonly basisIn: Map<string, Basis>;
}

/** The current contract: the digests of all built-in deployments in all built-in vocabularies, and all checks. */
export function currentContract(): Omit<Release, 'version'> {
  const contracts: Record<string, string> = {};
  const gathered = new Map<string, Gathered>();
  for (const deployment of namesIn('deployments').toSorted()) {
    for (const vocabulary of namesIn('vocabularies').toSorted()) {
      const contract = loadContract({ deployment, vocabulary });
      contracts[contractKey(contract)] = contract.digest;
      const checks = allChecks(contract);
      gather(gathered, contract, checks);
      if (vocabulary === 'neutral') gatherWords(gathered, contract, checks);
    }
  }
  const exceptions = textsOf('readings')
    .filter((reading) => reading.mayBeInconclusive !== undefined)
    .flatMap(({ checks }) => checks.map((glob) => selectorOf(glob)));
  const rows = [...gathered].toSorted(byName).map(([id, one]) => {
    const row = releasedOf(one);
    return [id, exceptions.some((selects) => selects(id)) ? { ...row, untold: true as const } : row] as const;
  });
  return { contracts, checks: new Map(rows) };
}

function gather(gathered: Map<string, Gathered>, contract: Contract, checks: readonly Check[]): void {
  for (const check of checks) {
    const one: Gathered = gathered.get(check.id) ?? {
      check,
      in: new Set(),
      asks: new Set(),
      requirements: new Set(),
      basisIn: new Map(),
    };
    gathered.set(check.id, one);
    one.in.add(contract.deployment);
    if (check.basis !== one.check.basis) one.basisIn.set(contractKey(contract), check.basis);
  }
}

/** Gathers the words and requirements of checks, which are those of the neutral vocabulary. */
function gatherWords(gathered: Map<string, Gathered>, contract: Contract, checks: readonly Check[]): void {
  const requirements = requirementsByCheck(coverageOf(contract, checks));
  const asks = askedBy(checks);
  for (const check of checks) {
    const one = gathered.get(check.id);
    one?.asks.add(asks(check));
    for (const id of requirements.get(check.id) ?? []) one?.requirements.add(id);
  }
}

/** Each check in words, with the declarations that it enforces; of fuzz checks, all of their operation. */
export function askedBy(checks: readonly Check[]): (check: Check) => string {
  const declared = checks.filter(({ about }) => about === 'declaration');
  const byId = new Map(declared.map((check) => [check.id, check]));
  const byOperation = Map.groupBy(declared, ({ operation }) => operation);
  return (check) => {
    const named = check.about === 'declaration' ? [] : (check.dependsOn ?? []).map((id) => byId.get(id));
    const drawn = check.fuzz === true ? (byOperation.get(check.operation) ?? []) : [];
    const held = new Set([...named, ...drawn].flatMap((one) => (one === undefined ? [] : [wordsOf(one)])));
    return [wordsOf(check), ...[...held].toSorted()].join('\n');
  };
}

function wordsOf({ section, title }: Check): string {
  return `${section} ${title}`;
}

function releasedOf(one: Gathered): ReleasedCheck {
  return {
    level: levelOf(one.check),
    basis: one.check.basis,
    ...(one.basisIn.size > 0 && { basisIn: Object.fromEntries(one.basisIn) }),
    asks: hash('sha256', JSON.stringify([...one.asks].toSorted())).slice(0, DIGITS),
    requirements: [...one.requirements].toSorted(),
    in: [...one.in],
  };
}

type Difference = Pick<ReleaseFile, 'added' | 'dropped' | 'changed'>;

/** Compares a contract with a release by check id. @param before undefined for the first release */
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

/** What the newest release lacks, in one sentence; undefined if it lacks nothing. */
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

/** The text of a release file, with one line for each check, so that a change of one check is a change of one line. */
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
