import { isDeepStrictEqual } from 'node:util';
import { showBase } from '../../client/address.ts';
import type { Client } from '../../client/client.ts';
import { asObject, member } from '../../client/json.ts';
import { redactJson } from '../../client/redact.ts';
import { type FetchedIndex, readIndex, type SiteIndex } from '../../client/site-index.ts';
import type { Check } from '../../engine/check.ts';
import { firstLines, listed, plural, present, shorten, visibleLine, visibleText } from '../../engine/text.ts';
import { exampleAddress } from '../../probing/declarations/patterns.ts';
import {
  amendmentsOf,
  type Contradiction,
  operationsOf,
  type PublishedDifference,
} from '../../probing/published/amendments.ts';
import { generateFiles, type PublishedFiles } from '../../probing/published/generate.ts';
import type { LintFinding } from '../../probing/published/parameter-schema.ts';
import { type ComposedContract, composeFor, type FilePlan } from '../../probing/published/working-folder.ts';
import { loadContract } from '../../specs/contract.ts';
import { knownNamespaces } from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';
import { decidedByIndex } from '../../suites/index/declared-checks.ts';
import { checkDeclarations } from '../../suites/run-checks.ts';

interface ReadSite {
  readonly composition: ComposedContract;
  readonly generated: PublishedFiles;
  readonly difference: PublishedDifference;
  /** How many routes sent the schema of their records, and how many more there are. */
  readonly asked: number;
  readonly unasked: number;
}

/** Reads what a site publishes. @param most routes asked for schemas @throws UsageError for an unfit built-in file */
export async function readSite(
  client: Client,
  fetched: Pick<FetchedIndex, 'index' | 'text'>,
  { most, ...contract }: { readonly most: number } & HeldFiles,
): Promise<ReadSite> {
  const document = asObject(redactJson(fetched.index.document, client.redact)) ?? {};
  const index = readIndex(document, fetched.text);
  const composition = composeFor(index);
  const known = loadContract(composition);
  const url = showBase(client.base);
  const difference = await differenceOf(index, composition, known, { url, ...contract });
  const first = generateFiles(index, known);
  const keys = index.routes.filter(
    ({ key, endpoints }) => first.keys.has(key) && endpoints.some(({ methods }) => methods.includes('GET')),
  );
  const wanted = keys.slice(0, most);
  const records = new Map<string, unknown>();
  await Promise.all(
    wanted.map(async (route) => {
      const path = exampleAddress(route.parts);
      const schema = path === undefined ? undefined : await schemaOf(client, path);
      if (schema !== undefined) records.set(route.key, schema);
    }),
  );
  const generated = records.size === 0 ? first : generateFiles(index, known, records);
  return { composition, generated, difference, asked: wanted.length, unasked: keys.length - wanted.length };
}

async function schemaOf(client: Client, route: string): Promise<unknown> {
  const { answer, json } = await client.request({ method: 'OPTIONS', route, as: 'user' });
  return answer === 'accepted' ? redactJson(member(json, 'schema'), client.redact) : undefined;
}

/** An amendment may reveal another difference, such as that of a parameter after a missing method. */
const MOST_ROUNDS = 3;
/** The operation file for operations outside any namespace. */
const ROOTS = 'core';
const ALL = 'all';

/** Built-in operation files that are not amended, or `all`. */
interface HeldFiles {
  readonly held: readonly string[];
  /** Whether the caller names them; otherwise they come from the working folder. */
  readonly isGiven: boolean;
}

/** The contradictions between an index and the built-in files that fit it, and the amendments that accept the index. */
async function differenceOf(
  index: SiteIndex,
  composition: ComposedContract,
  known: Contract,
  { url, held, isGiven }: { readonly url: string } & HeldFiles,
): Promise<PublishedDifference> {
  // The folder may name a file of a plugin that was removed.
  if (isGiven) requireKnown(composition, held);
  const isHeld = (one: Contradiction): boolean =>
    held.includes(ALL) ||
    operationsOf(known, one).every(({ route }) =>
      held.includes(knownNamespaces().find(({ name }) => name === route.namespace)?.file ?? ROOTS),
    );
  const amended: Contradiction[] = [];
  for (let round = 0; ; round += 1) {
    const amendments = amendmentsOf(index, known, amended);
    const contract = loadContract({
      ...composition,
      composed: { ...composition.composed, instead: amendments },
    });
    const found = await contradictions(contract, index, url);
    const fresh = found.filter((one) => !isHeld(one));
    const isDone = fresh.length === 0 || round === MOST_ROUNDS;
    const next = isDone ? amendments : amendmentsOf(index, known, [...amended, ...fresh]);
    if (isDeepStrictEqual(next, amendments)) {
      const left = new Set(found.map(({ message }) => message));
      return { amendments, amended: amended.filter(({ message }) => !left.has(message)), kept: found, held };
    }
    amended.push(...fresh);
  }
}

async function contradictions(contract: Contract, index: SiteIndex, url: string): Promise<Contradiction[]> {
  const checks = decidedByIndex(contract);
  const results = await checkDeclarations(contract, checks, index, { url, seed: 1 });
  return checks.flatMap((check) => {
    const own = results?.get(check.id);
    const { skip } = own ?? {};
    // What several places contradict alike is one failure, and each of them is amended.
    const result = skip?.kind === 'blocked' && skip.same ? results?.get(skip.by) : own;
    if (result?.verdict !== 'fail') return [];
    const { operation, parameter, place } = check;
    const message = result.message ?? result.title;
    return [{ message, at: whereOf(contract, check), operation, parameter, place }];
  });
}

function whereOf({ operations, routes }: Contract, { operation, place }: Check): string {
  const about = operations.find(({ id }) => id === operation);
  if (about !== undefined) return `${about.methods.join(', ')} ${about.route.wire}`;
  return routes.find(({ path }) => path === place)?.wire ?? 'the index';
}

function requireKnown({ composed: { operations: files } }: ComposedContract, names: readonly string[]): void {
  for (const name of names) {
    if (name === ALL || files.includes(name)) continue;
    throw new UsageError(
      `--contract ${name}: no built-in file of this name fits the site; expected ${ALL} or one of ${files.join(', ')}${suggestion(name, files)}`,
    );
  }
}

const MOST_FINDINGS = 50;
const MOST_PLACES = 2;
const MOST_DIFF_LINES = 400;
const LONGEST = 300;

/** What a site publishes, and the contradictions in it, as lines for a terminal. */
export function describeInit(
  { composition, generated, difference, asked, unasked }: ReadSite,
  url: string,
): string {
  const operations = generated.files.reduce((sum, { file }) => sum + file.operations.length, 0);
  const lines = [
    `${url}: vocabulary ${composition.vocabulary}`,
    `  known: ${composition.composed.operations.join(', ')}`,
    `  published: ${plural(operations, 'operation')} of ${plural(generated.files.length, 'namespace')}`,
    ...generated.files.map(({ wire, file }) => {
      const resources = (file.resources ?? []).filter(({ kind }) => kind === 'records').length;
      return `    ${visibleLine(wire)}: ${plural(file.operations.length, 'operation')}, ${plural(resources, 'resource')}`;
    }),
    `  ${plural(asked, 'route')} asked for the schema of its records${unasked === 0 ? '' : `; ${unasked} more were not (--schemas N)`}`,
  ];
  return `${[...lines, ...describeDifference(difference), ...describeFindings(generated.findings)].join('\n')}\n`;
}

function describeDifference({ amended, kept, held }: PublishedDifference): string[] {
  if (amended.length + kept.length === 0) return ['  all of it is published as the built-in files say'];
  const files = held.length === 0 ? '' : ` (--contract ${held.join(' ')})`;
  return present([
    amended.length > 0 && [
      `  ${plural(amended.length, 'place')} that the site publishes otherwise than the built-in files say: the words of the site are the measure there (deployment.json, instead); --contract FILE holds it to a built-in file:`,
      ...placedLines(amended),
    ],
    kept.length > 0 && [
      `  ${plural(kept.length, 'place')} where the built-in files stay the measure${files}: a run reports ${kept.length === 1 ? 'it' : 'them'} as failed:`,
      ...placedLines(kept),
    ],
  ]);
}

function describeFindings(findings: readonly LintFinding[]): string[] {
  if (findings.length === 0) return ['  nothing in it contradicts itself'];
  return [
    `  ${plural(findings.length, 'contradiction')} in the site's own words (docs/published-lint.md); what contradicts itself is left out:`,
    ...placedLines(findings.map(({ place, ...one }) => ({ ...one, at: place }))),
  ];
}

/** What is said of places, in the order of the first ones; what is said of several is one line that names some. */
function placedLines(
  found: readonly { readonly rule?: string; readonly at: string; readonly message: string }[],
): string[] {
  const alike = [...Map.groupBy(found, ({ rule = '', message }) => `${rule}: ${message}`).values()];
  const lines = alike.slice(0, MOST_FINDINGS).map((places) => {
    const [{ rule, message } = { message: '' }] = places;
    const where = listed(
      places.map(({ at }) => visibleLine(at)),
      MOST_PLACES,
    );
    return shorten(`    ${rule === undefined ? '' : `${rule}: `}${where}: ${visibleLine(message)}`, LONGEST);
  });
  const more = alike.slice(MOST_FINDINGS).flat().length;
  return more > 0 ? [...lines, `    and ${more} more`] : lines;
}

/** The planned changes of a working folder, with the differences. */
export function describePlans(plans: readonly FilePlan[], out: string): string {
  const shown = plans.filter(({ what, conflicts }) => what !== 'same' || conflicts.length > 0);
  if (shown.length === 0) return `${visibleLine(out)}: nothing has changed\n`;
  const lines = shown.flatMap(({ path, what, diff, conflicts }) => [
    `${what === 'same' ? 'kept' : what} ${visibleLine(path)}`,
    ...conflicts.map((line) => `  conflict: ${shorten(visibleLine(line), LONGEST)}`),
    ...diffLines(diff),
  ]);
  return `${lines.join('\n')}\n`;
}

function diffLines(diff: string): string[] {
  if (diff === '') return [];
  const lines = visibleText(diff).trimEnd().split('\n').slice(1);
  return firstLines(lines, MOST_DIFF_LINES, (more) => `… ${plural(more, 'more line')}`);
}
