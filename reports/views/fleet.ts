import type { ExitCode, Fleet, FleetTarget } from '../../compare/fleet/document.ts';
import type { Maybe } from '../../engine/text.ts';
import { formatDuration, grouped, groupsBy, listed, percent, plural, present } from '../../engine/text.ts';
import type { Block, Column, Item, Span, Text, Tone, View } from './blocks.ts';
import { code, facts, list, notesSection, section, strong, TONE_OF, table, text } from './blocks.ts';

/** Limits for one or two screens, with a few healthy targets. The document has all of them. */
const SHOWN = { targets: 40, well: 10, areas: 40, names: 20, fewNames: 5 } as const;
const MOST = { screen: 15, comment: 50, page: 500 } as const;

const STATES: Readonly<Record<ExitCode, { word: string; tone: Tone }>> = {
  0: { word: 'ok', tone: 'pass' },
  1: { word: 'FAIL', tone: 'fail' },
  2: { word: 'CONFIG', tone: 'warn' },
  3: { word: 'UNKNOWN', tone: 'inconclusive' },
  4: { word: 'FAULT', tone: 'error' },
};
/** A target that fails only as its baseline does. It neither fails the fleet nor conforms. */
const NOTHING_NEW = { word: 'nothing new', tone: 'warn' } as const;
const CONCLUSIONS = ['nonconformant', 'inconclusive', 'conformant'] as const;
const WORDS = { conformant: 'conformant', nonconformant: 'not conformant', inconclusive: 'not concluded' };

/** A fleet for people: which targets fail, why, and which are worse than before. */
export function fleetView(fleet: Fleet): View {
  const { conclusion, notes, reason, targets } = fleet;
  const partial = partialFleet(fleet);
  const values = CONCLUSIONS.map((one) => [TONE_OF[one], WORDS[one]] as const);
  const choice = { name: 'state', label: 'Conclusion', values } as const;
  return {
    heading: `${headingOf(fleet)}${partial === undefined ? '' : ' (PARTIAL)'}`,
    tone: TONE_OF[conclusion],
    summary: [text(reason), partial !== undefined && text(partial, { tone: 'warn' }), factsOf(fleet)],
    blocks: [
      notesSection(notes),
      targetSection(targets),
      checkSection(fleet),
      worseSection(targets),
      mapSection(fleet),
      softwareSection(fleet),
    ],
    search: { noun: 'targets', choices: [choice], hint: 'words of a name or an address' },
    source: 'fleet.json',
    foot: 'fleet.json beside this page contains everything shown here; each target has a page of its own in its folder.',
  };
}

/** How many targets ran only a part of their plan, in words; undefined if none did. */
function partialFleet({ targets }: Pick<Fleet, 'targets'>): string | undefined {
  const narrowed = targets.filter(({ partial }) => partial !== undefined).length;
  if (narrowed === 0) return undefined;
  return `PARTIAL: of ${narrowed} of ${plural(targets.length, 'target')} only a part of the planned checks was asked`;
}

function headingOf({ counts: { targets, nonconformant, inconclusive }, targets: own }: Fleet): string {
  const all = plural(targets, 'target');
  const thin = own.filter(({ extent }) => extent !== undefined).length;
  if (nonconformant > 0) return `${count(nonconformant)} of ${all} not conformant`;
  if (inconclusive > 0) return `${count(inconclusive)} of ${all} not concluded`;
  return `All of ${all} conformant${thin === 0 ? '' : `, ${count(thin)} of them little evaluated`}`;
}

function factsOf({ conclusion, counts, run, shard, parts, selected, exitCode }: Fleet): Block {
  const known = CONCLUSIONS.filter((one) => counts[one] > 0);
  return facts([
    ['conclusion', `${conclusion.toUpperCase()}, exit code ${exitCode}`],
    ['targets', known.map((one) => `${count(counts[one])} ${WORDS[one]}`).join(', ')],
    ['part', shard && `PART ${shard.index}/${shard.of} of ${selected} targets`],
    ['made of', parts === undefined ? undefined : plural(parts, 'part')],
    ['began', run.started],
    ['ended early', run.ended],
    ['took', `${plural(run.requests, 'request')} in ${formatDuration(run.seconds)}, ${run.parallel} at once`],
  ]);
}

function linkOf({ folder, name }: FleetTarget, words: string = name): Span {
  const parts = folder
    .toWellFormed()
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  return { text: words, to: `./${[...parts, 'report.html'].map(encodeURIComponent).join('/')}` };
}

function targetSection(targets: readonly FleetTarget[]): Maybe<Block> {
  const isWell = ({ exitCode, extent }: FleetTarget): boolean => exitCode === 0 && extent === undefined;
  const ill = targets.filter((target) => !isWell(target));
  const well = targets.filter(isWell);
  const shown = Math.min(SHOWN.targets, ill.length + SHOWN.well);
  const columns = columnsOf(targets);
  return section(
    { id: 'sites', way: ['All targets', String(targets.length)], title: plural(targets.length, 'target') },
    table(
      'All targets',
      columns.map(({ value, ...column }) => column),
      [...ill, ...well].map((target) => ({
        cells: columns.map(({ value }) => value(target)),
        note: target.exitCode > 1 || target.extent !== undefined ? target.reason : undefined,
        tone: TONE_OF[target.conclusion],
      })),
      {
        most: { screen: shown, comment: ill.length, page: 3000 },
        rest: ill.length > shown ? `more, ${ill.length - shown} of them not ok` : 'more, none of them worse',
        searched: true,
      },
    ),
  );
}

interface TargetColumn extends Column {
  value(target: FleetTarget): Text;
}

function columnsOf(targets: readonly FleetTarget[]): TargetColumn[] {
  const compared = targets.some(({ baseline }) => baseline !== undefined);
  const waived = targets.some(({ counts }) => counts.waived !== undefined);
  const changed = targets.some(({ baseline }) => baseline?.answers !== undefined);
  const number = (
    title: string,
    value: (target: FleetTarget) => number | undefined,
    rest: Omit<Column, 'title'> = {},
  ): TargetColumn => ({ title, align: 'right', value: (target) => count(value(target)), ...rest });
  return present<TargetColumn>([
    { title: 'target', value: (target) => [linkOf(target)] },
    { title: 'state', value: (target) => [stateOf(target)] },
    number('fail', ({ counts }) => counts.fail),
    waived && number('waived', ({ counts }) => counts.waived ?? 0),
    compared && number('new', ({ baseline }) => baseline?.new),
    compared && number('fixed', ({ baseline }) => baseline?.fixed),
    changed && number('changes', ({ baseline }) => baseline && (baseline.answers ?? 0)),
    number('warn', ({ counts }) => counts.warn),
    number('unknown', ({ counts }) => counts.inconclusive),
    number('pass', ({ counts }) => counts.pass),
    number('requests', ({ requests }) => requests, { minor: true }),
    { title: 'time', align: 'right', value: ({ seconds }) => formatDuration(seconds) },
    { title: 'address', from: 'page', value: ({ url }) => [code(url)] },
    {
      title: 'failing',
      from: 'comment',
      value: ({ baseline, failing, counts }) =>
        listed((baseline?.new ?? 0) > 0 ? (baseline?.worst ?? []) : failing, SHOWN.fewNames, counts.fail),
    },
  ]);
}

function stateOf({ exitCode, conclusion, extent }: FleetTarget): Span {
  if (exitCode === 0 && extent !== undefined)
    return { text: `${percent(extent.evaluated, extent.wanted)} evaluated`, tone: 'inconclusive' };
  const { word, tone } = exitCode === 0 && conclusion !== 'conformant' ? NOTHING_NEW : STATES[exitCode];
  return { text: word, tone };
}

function checkSection({ checks, targets, counts }: Fleet): Maybe<Block> {
  const byName = new Map(targets.map((target) => [target.name, target]));
  const items = checks.map(
    ({ id, title, fail, waived, new: fresh, targets: names }): Item => ({
      tone: fail > 0 ? 'fail' : 'waived',
      text: [
        strong(`${fail} of ${counts.targets}`),
        '   ',
        code(id),
        waived > 0 && ` (waived on ${waived})`,
        fresh > 0 && strong(` (new on ${fresh})`),
        `: ${title}`,
      ],
      notes: [linksOf(names, fail + waived, byName)],
    }),
  );
  const way = ['What fails', String(checks.length)] as const;
  const title = `${plural(checks.length, 'check')} failing`;
  return section({ id: 'causes', way, title, tone: 'fail' }, list(items, { most: MOST }));
}

function linksOf(names: readonly string[], number: number, byName: ReadonlyMap<string, FleetTarget>): Text {
  const shown = names.slice(0, SHOWN.fewNames);
  const left = number - shown.length;
  return [
    shown.map((name, at) => {
      const target = byName.get(name);
      return [at > 0 && ', ', target === undefined ? name : linkOf(target)];
    }),
    left > 0 && ` and ${left} more`,
  ];
}

function worseSection(targets: readonly FleetTarget[]): Maybe<Block> {
  const worse = targets.flatMap((target) => {
    const { new: fresh = 0, worst = [] } = target.baseline ?? {};
    if (fresh === 0) return [];
    return [{ text: [linkOf(target)], notes: [`${fresh} new: ${listed(worst, SHOWN.fewNames, fresh)}`] }];
  });
  const way = ['Worse than before', String(worse.length)] as const;
  const title = `${plural(worse.length, 'target')} worse than the baseline`;
  return section({ id: 'worse', way, title, tone: 'fail' }, list(worse, { most: { ...MOST, page: 3000 } }));
}

/** Targets × areas: how many checks of an area fail on a target. Areas without failures are left out. */
function mapSection({ targets, checks }: Fleet): Maybe<Block> {
  const known = new Map(checks.map(({ id, area }) => [id, area]));
  const areasOf = ({ failing }: FleetTarget): string[] => failing.map((id) => known.get(id) ?? id);
  const counts = groupsBy(targets.flatMap(areasOf), (area) => area);
  const most = counts.sort((one, other) => other.length - one.length).slice(0, SHOWN.areas);
  const areas = most.map(([area]) => area);
  const ill = targets.filter(({ failing: ids, conclusion }) => ids.length > 0 || conclusion !== 'conformant');
  if (areas.length === 0) return undefined;
  return section(
    { id: 'map', way: ['Targets and areas'], title: 'Targets and areas', from: 'page' },
    text(
      'A row for each target that is not conformant, a column for each area with failures; a number counts the failures that are listed for the target.',
      { quiet: true },
    ),
    table(
      'Targets and areas',
      ['target', ...areas],
      ill.map((target) => [
        [linkOf(target)],
        ...areas.map((area) => cellOf(target, areasOf(target).filter((one) => one === area).length)),
      ]),
      { map: true, most: { page: 3000 } },
    ),
  );
}

/** @param number how many of the target's listed failures are in the area */
function cellOf(target: FleetTarget, number: number): Text {
  if (number > 0) return [{ ...linkOf(target, String(number)), tone: 'fail' }];
  if (target.conclusion === 'inconclusive') return [{ text: '', tone: 'inconclusive' }];
  // A target with many failures lists only the first ones, so the others are unknown.
  return target.counts.fail > target.failing.length ? '…' : '0';
}

/** Without namespaces that every target has, which distinguish nothing and need space. */
function softwareSection({ software, targets }: Fleet): Maybe<Block> {
  const known = targets.filter(({ namespaces }) => namespaces !== undefined).length;
  const listOf = (own: Fleet['software']): Maybe<Block> =>
    list(
      own.map(({ namespace, count: number, targets: names }) => ({
        text: [`${number} of ${known}   `, code(namespace)],
        notes: [listed(names, SHOWN.names, number)],
      })),
      { most: MOST },
    );
  const uneven = software.filter(({ count: number }) => number < known);
  const even = software.filter(({ count: number }) => number >= known);
  const way = ['Namespaces that some serve', String(uneven.length)] as const;
  return [
    section({ id: 'software', way, title: 'served by some' }, listOf(uneven)),
    section({ id: 'common', title: 'served by all', from: 'page' }, listOf(even)),
  ];
}

function count(number: number | undefined): string {
  return number === undefined ? '-' : grouped(number);
}
