import { join } from 'node:path';
import { type Check, kindNamed } from '../../engine/check.ts';
import { selectorOf } from '../../engine/glob.ts';
import { dependenciesOf, dependentsOf } from '../../engine/plan.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import type { ExplainedCheck } from '../../reports/views/explain.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { loadClauses, loadReadings } from '../../specs/texts.ts';
import { loadVersions, sinceOf, type Versions } from '../../specs/versions/versions.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { type Coverage, coverageOf, mutantsByCheck } from '../../suites/coverage/coverage.ts';
import { type SentRequest, sentRequests } from '../../suites/sent-requests.ts';

/**
 * Describes checks of one contract.
 * @param deployment its name or path on the reference deployment
 * @param asked the checks to describe; default: all
 */
export function explainer(
  contract: Contract,
  checks: readonly Check[],
  deployment: string,
  asked: readonly Check[] = checks,
): (check: Check) => ExplainedCheck {
  const clauses = loadClauses();
  const readings = loadReadings();
  const requirements = requirementsOf(coverageOf(contract, asked));
  const blocks = dependentsOf(checks);
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const versions = loadVersions();
  const mutants = mutantsByCheck(
    asked.map(({ id }) => id),
    listMutants(deployment),
  );
  return (check) => {
    const { id, title, section, basis, parameter } = check;
    const kind = kindNamed(check.kind);
    const operation = operations.get(check.operation ?? '');
    const kept = versions === undefined ? undefined : keptWords(versions, id);
    return {
      id,
      deployment: contract.deployment,
      asks: title,
      ...(kind !== undefined && {
        kind: { title: kind.title, asks: kind.asks, decides: kind.decides },
        mend: kind.mend,
      }),
      section: clauses.get(section) ?? { section },
      basis,
      readings: readings
        .filter((reading) => reading.checks.some((glob) => selectorOf(glob)(id)))
        .map(({ id: number, says }) => ({ id: number, says })),
      requirements: requirements.get(id) ?? [],
      ...(operation !== undefined && {
        operation: { id: operation.id, methods: operation.methods, route: operation.route.wire },
      }),
      ...(parameter !== undefined && { parameter }),
      ...(check.fragment !== undefined && { declare: check.fragment() }),
      needs: { mode: check.mode ?? 'read', user: check.needsUser === true },
      hangsOn: dependenciesOf(check),
      blocks: blocks.get(id) ?? [],
      mutants: mutants.get(id) ?? [],
      ...(kept !== undefined && { kept }),
    };
  };
}

/** One sentence about the versions that pass a check; undefined if there is none. */
function keptWords(versions: Versions, check: string): string | undefined {
  const { runs, software, verdicts, failures } = versions;
  const letters = Object.keys(verdicts).find((key) => verdicts[key]?.includes(check));
  if (letters === undefined) return undefined;
  const since = sinceOf(versions, letters);
  const failing = runs.flatMap(({ version }, at) => (letters[at] === 'f' ? [version] : []));
  const why = failing.length === 0 ? '' : `; fails in ${failing.join(', ')}: ${failures[check] ?? ''}`;
  if (since === undefined) return failing.length === 0 ? undefined : `${software} does not keep it${why}`;
  const before = { 'not kept': '', unknown: ', not evaluated before', none: ' or earlier' }[since.before];
  return `${software} keeps it since ${since.version}${before}${why}`;
}

/** The requirements of each check, by the id of the check. */
function requirementsOf({ requirements }: Coverage): Map<string, ExplainedCheck['requirements'][number][]> {
  const found = new Map<string, ExplainedCheck['requirements'][number][]>();
  for (const { id, statement, checks } of requirements) {
    for (const check of checks) found.set(check, [...(found.get(check) ?? []), { id, statement }]);
  }
  return found;
}

/** Records the requests of a check by running it alone against the reference deployment. */
export async function sentBy(check: Check, contract: Contract, deployment: string): Promise<SentRequest[]> {
  using folder = temporaryFolder('explain');
  const site = await serve({ deployment });
  try {
    // The reference deployment uses the neutral words.
    const neutral =
      contract.vocabulary === 'neutral' ? contract : loadContract({ deployment, vocabulary: 'neutral' });
    const checks = allChecks(neutral);
    const isKnown = checks.some(({ id }) => id === check.id);
    const options = { base: new URL(site.url), mode: 'full' as const, concurrency: 1, timeout: 30 };
    const journal = { path: join(folder.path, 'journal.ndjson'), tag: `sc-explain-${process.pid}` };
    return await sentRequests(
      check.id,
      isKnown ? checks : [...checks, check],
      neutral,
      { ...options, user: site.user, password: site.password },
      journal,
    );
  } finally {
    await site.close();
  }
}
