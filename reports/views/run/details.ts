import { describePhases, isRemoved } from '../../../engine/conclusion.ts';
import type {
  BeyondNamespace,
  CheckResult,
  FixtureReport,
  Notice,
  RunResult,
  WritingReport,
} from '../../../engine/result.ts';
import {
  formatDuration,
  grouped,
  groupsBy,
  listed,
  type Maybe,
  plural,
  present,
  share,
  shorten,
  visibleLine,
} from '../../../engine/text.ts';
import { loadVocabulary } from '../../../specs/contract.ts';
import { namesIn } from '../../../specs/deployment.ts';
import { linkTo } from '../../about-check.ts';
import { type Block, code, details, facts, type Item, list, section, table, text } from '../blocks.ts';
import { namedList } from './findings.ts';

const MOST_INCONCLUSIVE = { screen: 1, comment: 1, page: 8 } as const;

/** What a run did besides its verdicts: searches, notices, fixtures, writing, effort and words. */
export function detailSections(result: RunResult): Maybe<Block>[] {
  return [
    fuzzingSection(result),
    noticeSection(result),
    fixtureSection(result),
    writingSection(result),
    effortSection(result),
    wordsSection(result),
  ];
}

function noticeSection(result: RunResult): Maybe<Block> {
  const { notices, target } = result;
  if (notices.length === 0) return undefined;
  const messages = notices.map(({ message }) => message);
  const { beyond = [] } = target;
  const known = beyond.filter(({ file }) => file !== undefined).length;
  return section(
    {
      id: 'notices',
      way: ['Notices', grouped(notices.length)],
      title: `${plural(notices.length, 'notice')}, which change nothing in the conclusion`,
    },
    list(noticeLines(result), { most: { screen: 80, comment: 80 } }),
    known > 0 && text('To check what the contract knows of them as well: --deployment auto'),
    beyond.length > known &&
      text(`To take them into a contract of your own: init --target ${visibleLine(target.url)}`),
    details('Show them one by one', [list(messages, { most: { page: 300 } })], { from: 'page' }),
  );
}

const BEYOND = 'extra/namespace';

/** A line for each namespace and each other kind of notice, so that they do not hide the findings. */
function noticeLines({ notices, target: { beyond = [] } }: RunResult): string[] {
  const others = notices.filter(({ id }) => id !== BEYOND);
  return [...beyond.map(namespaceLine), ...groupsBy(others, ({ id }) => id).map(kindLine)];
}

function kindLine([{ id, message }, ...more]: readonly [Notice, ...Notice[]]): string {
  const said = visibleLine(`${id}: ${message}`);
  return more.length === 0 ? said : `${said} (and ${more.length} more of the kind)`;
}

const LONGEST = 40;

function namespaceLine({ namespace, routes, methods, file }: BeyondNamespace): string {
  const size = `${plural(routes, 'route')}, ${plural(methods, 'method')}`;
  const name = visibleLine(shorten(namespace, LONGEST));
  return `${name}: ${size}${file === undefined ? '' : `; the contract knows it as ${file}`}`;
}

function fuzzingSection({ fuzzing, checks }: RunResult): Maybe<Block> {
  if (fuzzing === undefined) return undefined;
  const { judged, planned, violations, unstable, keywords, pairs, untried } = fuzzing;
  const accepted = checks.flatMap(({ waived, replay }) => (waived === undefined ? [] : (replay?.sets ?? [])));
  const violated = present([
    String(violations),
    accepted.length > 0 && `${accepted.length === violations ? 'all' : `${accepted.length} of them`} waived`,
    unstable > 0 && `${unstable} of them not each time`,
  ]);
  const tried = `${keywords.tried} keywords and kinds of values tried, ${keywords.untried} never`;
  return section(
    { id: 'fuzzing', title: 'fuzzing' },
    facts([
      ['evaluated', share(judged, planned, 'sets of arguments')],
      ['violations', violated.join(', ')],
      ['coverage', `${tried}; ${share(pairs.tried, pairs.possible, 'pairs of parameters')} together`],
    ]),
    list(
      untried.map((one) => `not tried: ${one.check}: ${describePhases(one)} (${one.reason})`),
      { most: { screen: 5, comment: 5, page: 50 }, rest: 'not finished' },
    ),
  );
}

function fixtureSection({ stage, checks, target }: RunResult): Maybe<Block> {
  if (stage === undefined) return undefined;
  const known = new Map(checks.map((check) => [check.id, check]));
  const { missing } = stage;
  const way = ['Not made', grouped(missing.length)] as const;
  return section(
    {
      id: 'stage',
      ...(missing.length > 0 && { way, tone: 'inconclusive' }),
      title: `fixtures: ${fixturesMade(stage)}`,
    },
    missing.length === 0 && text('The site has everything that the checks need.', { from: 'page' }),
    list(
      missing.map((one) => missingItem(one, known, target)),
      { as: 'folded', most: { screen: 3, comment: 10, page: 50 }, rest: 'not made' },
    ),
  );
}

function missingItem(
  { resource, name, why, checks }: FixtureReport['missing'][number],
  known: ReadonlyMap<string, CheckResult>,
  target: RunResult['target'],
): Item {
  const [first] = checks;
  const cost =
    first === undefined
      ? 'no check is inconclusive because of it'
      : `${plural(checks.length, 'check')} of ${resource} inconclusive, such as ${first}`;
  const inconclusive = checks.flatMap((id) => known.get(id) ?? []);
  return {
    text: `not made: ${name} (${resource}), ${why}; ${cost}`,
    blocks: [namedList(target, inconclusive, MOST_INCONCLUSIVE, { from: 'page' })],
  };
}

function writingSection({ writing, run }: RunResult): Maybe<Block> {
  if (writing === undefined) return undefined;
  const { census, uncounted = [], tag } = writing;
  // If the answer to a creation was wrong, only its removal proves it.
  const created = Math.max(writing.created, writing.removed);
  const lines = present([
    leftoverLines(writing),
    census.map((one) => describeDifference(one, run.mode)),
    uncountedLines(uncounted),
    keptFiles(writing),
  ]);
  if (created + lines.length === 0) return undefined;
  const about = {
    id: 'writing',
    title:
      created === 0 && isRemoved(writing)
        ? 'nothing was written'
        : `${plural(created, 'record')} written with the tag ${tag}, ${howItEnded(writing)}`,
    tone: isRemoved(writing) ? undefined : ('fail' as const),
  };
  return section(about, list(lines, { most: { screen: 20, comment: 20, page: 500 } })) ?? section(about);
}

/** Collections whose records could not be counted, those with one reason in one line. */
function uncountedLines(uncounted: NonNullable<WritingReport['uncounted']>): string[] {
  return [...Map.groupBy(uncounted, ({ reason }) => reason)].map(([reason, all]) => {
    const names = (part: (one: (typeof all)[number]) => string): string =>
      [...new Set(all.map(part))].join(' and ');
    return `${names(({ collection }) => collection)} could not be counted one by one ${names(({ when }) => when)} the run: ${reason}`;
  });
}

const SLOWEST = 10;

function effortSection({ run, checks }: RunResult): Maybe<Block> {
  const slowest = checks
    .filter(({ seconds }) => seconds > 0)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ id, seconds }) => ({ text: [`${formatDuration(seconds)} `, { ...code(id), to: linkTo(id) }] }));
  return section(
    { from: 'page', id: 'effort', way: ['Time'], title: 'Requests and time' },
    facts([
      ['Time', formatDuration(run.seconds)],
      ['Requests', `${grouped(run.requests)}, ${plural(run.retries, 'retry', 'retries')}`],
      ['A second', run.seconds > 0 ? `${(run.requests / run.seconds).toFixed(1)} requests` : undefined],
      ['Ended early', run.ended],
    ]),
    details('The slowest checks', [list(slowest)]),
  );
}

function wordsSection({ target, checks }: RunResult): Maybe<Block> {
  const { operations = {}, vocabulary } = target;
  const places = Object.entries(operations);
  if (places.length === 0) return undefined;
  const known = namesIn('vocabularies').includes(vocabulary) ? loadVocabulary(vocabulary) : undefined;
  const names = new Set(checks.flatMap(({ parameter }) => parameter ?? []));
  const renamed = [...names].flatMap((name) => {
    const own = known?.parameter(name) ?? name;
    return own === name ? [] : [{ text: [code(name), ' is ', code(own)] }];
  });
  return section(
    { id: 'words', from: 'page', title: "The site's own words" },
    text('Reports name operations and parameters in neutral words. This is where they are on the site.'),
    details(plural(places.length, 'operation'), [
      table(
        'Operations in the words of the site',
        ['ours', 'of the site'],
        places.map(([id, { methods, route }]) => [id, [code(`${methods.join(', ')} ${route}`)]]),
      ),
    ]),
    details(plural(renamed.length, 'parameter'), [list(renamed)]),
  );
}

const MOST_IDS = 10;

interface Leftovers {
  readonly left: readonly { readonly collection: string; readonly id: number; readonly why: string }[];
  readonly doubts: readonly string[];
}

/** The result of the clean-up in a few words. Remaining records and unverified ones are separate. */
export function howItEnded({ left, doubts }: WritingReport): string {
  if (left.length > 0) return 'NOT ALL REMOVED';
  return doubts.length > 0 ? 'REMOVAL NOT VERIFIED' : 'all removed';
}

/** A line for the remaining records of each reason, and one for each thing that could not be verified. */
export function leftoverLines({ left, doubts }: Leftovers): string[] {
  const stayed = groupsBy(left, ({ collection, why }) => `${collection} ${why}`).map((some) => {
    const [{ collection, why }] = some;
    const ids = some.map(({ id }) => id);
    return `${collection} ${listed(ids, MOST_IDS)} ${some.length === 1 ? 'is' : 'are'} still there: ${why}`;
  });
  return [...stayed, ...doubts];
}

/** What a clean-up could not remove, and what it cannot see. */
export function cleanUpLines(ended: Leftovers & Pick<WritingReport, 'files' | 'tag'>): string[] {
  return present([leftoverLines(ended), keptFiles(ended)]);
}

/** Files that no route shows, so that they must be removed by hand. */
function keptFiles({ files = 0, tag }: Pick<WritingReport, 'files' | 'tag'>): string | undefined {
  if (files === 0) return undefined;
  const what = files === 1 ? 'its file' : 'their files';
  return `${plural(files, 'upload')} ended without a record: the site may have kept ${what}, which no route shows; look for ${tag}-* where it keeps uploads`;
}

function describeDifference(
  { collection, appeared, disappeared, unanswered }: WritingReport['census'][number],
  mode: RunResult['run']['mode'],
): string {
  const ids = [...appeared.map((id) => `+${id}`), ...disappeared.map((id) => `-${id}`)].join(' ');
  // A route means terms, which may come from the run's records without its tag.
  const also = collection.startsWith('/')
    ? ', or by the site for what this run wrote: look whether they should stay'
    : '';
  const valid = mode === 'full' ? ', or by valid calls that mode full sends' : '';
  const hands =
    unanswered === undefined
      ? also
      : `, or by ${plural(unanswered, 'creation')} of this run whose answer named no record`;
  return `${collection}: ${appeared.length} appeared and ${disappeared.length} disappeared meanwhile, by others${valid}${hands} (${ids})`;
}

/** The fixtures of a run: `made 12 in posts, 9 in pages for its checks with 31 requests`. */
function fixturesMade({ made, requests }: FixtureReport): string {
  const records = Object.entries(made).map(([resource, count]) => `${count} in ${resource}`);
  const what = records.length === 0 ? 'nothing could be made' : `made ${records.join(', ')}`;
  return visibleLine(`${what} for its checks with ${plural(requests, 'request')}`);
}

/** The same with what is missing and what that costs, in one sentence. */
export function sumUpFixtures(stage: FixtureReport): string {
  const { missing } = stage;
  const inconclusive = new Set(missing.flatMap(({ checks }) => checks)).size;
  if (missing.length === 0) return fixturesMade(stage);
  const cost = inconclusive === 0 ? 'no check inconclusive' : `${plural(inconclusive, 'check')} inconclusive`;
  return `${fixturesMade(stage)}; ${missing.length} not made: ${cost} because of it`;
}
