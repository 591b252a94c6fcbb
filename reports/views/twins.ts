import type { Comparison } from '../../compare/comparison.ts';
import { byClass, CLASSES } from '../../compare/law.ts';
import { groupsBy, type Maybe, plural } from '../../engine/text.ts';
import { type Block, facts, notesSection, section, table, type View } from './blocks.ts';
import { headlineSpans } from './comparison.ts';

interface ComparedSite {
  readonly name: string;
  readonly comparison: Comparison;
}

const MOST_ROWS = { screen: 60, comment: 100, page: 2000 } as const;

/** Several sites compared with a first one: which differ, and how. @param base the name of the first */
export function twinsView(base: string, sites: readonly ComparedSite[]): View {
  const isOther = ({ comparison }: ComparedSite): boolean => comparison.changes.length > 0;
  const isOpen = ({ comparison }: ComparedSite): boolean => comparison.inconclusive !== undefined;
  const differing = sites.filter((one) => isOther(one) && !isOpen(one));
  const worse = sites.some(({ comparison: { counts } }) => counts.breaking + (counts.exposed ?? 0) > 0);
  const open = sites.filter(isOpen);
  const of = plural(sites.length, 'site');
  const unsure = open.length === 0 ? '' : `, ${open.length} not concluded`;
  const heading =
    differing.length === 0
      ? `None of ${of} is known to differ from ${base}${unsure}`
      : `${differing.length} of ${of} ${differing.length === 1 ? 'differs' : 'differ'} from ${base}${unsure}`;
  return {
    heading,
    tone: worse ? 'fail' : open.length > 0 ? 'inconclusive' : 'pass',
    lead: [facts([['first', base], ...sites.map((one) => [one.name, countsOf(one)] as const)])],
    blocks: [
      notesSection(sites.flatMap(({ name, comparison }) => comparison.notes.map((one) => `${name}: ${one}`))),
      (worse || differing.length > 0) && section({ id: 'sites', title: 'Changes by site' }, tableOf(sites)),
    ],
    foot: 'twin --out keeps the comparison of each site, with what to do, in a folder of its own.',
  };
}

function countsOf({ comparison: { counts, inconclusive } }: ComparedSite): string {
  if (inconclusive !== undefined) return `nothing can be concluded: ${inconclusive.join('; ')}`;
  const words = CLASSES.flatMap((name) => ((counts[name] ?? 0) > 0 ? [`${counts[name]} ${name}`] : []));
  return words.length === 0 ? 'nothing differs' : words.join(', ');
}

function tableOf(sites: readonly ComparedSite[]): Maybe<Block> {
  const all = sites.flatMap(({ comparison }) => comparison.groups);
  const causes = groupsBy(all, ({ digest }) => digest).map(([first]) => first);
  const rows = causes.sort(byClass).map((cause) => {
    const classes = sites.map(
      ({ comparison }) => comparison.groups.find(({ digest }) => digest === cause.digest)?.class,
    );
    return [headlineSpans(cause), ...classes.map((tone) => (tone ? [{ text: tone, tone }] : ''))];
  });
  return table('Which site shows which change', ['change', ...sites.map(({ name }) => name)], rows, {
    most: MOST_ROWS,
    prose: true,
  });
}
