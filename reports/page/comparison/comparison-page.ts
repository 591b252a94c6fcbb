import type { Change } from '../../../compare/change.ts';
import type { ComparedSide, Comparison } from '../../../compare/comparison.ts';
import type { Group } from '../../../compare/groups.ts';
import type { ChangeClass } from '../../../compare/law.ts';
import { countsOf, dependingOn, obstacleOf, stretchesOf } from '../../comparison/words.ts';
import { plural } from '../../text.ts';
import { anchorOf, linkTo } from '../anchors.ts';
import { renderPage } from '../document.ts';
import { frame } from '../frame.ts';
import { cut, html, type Markup, type Part } from '../markup.ts';
import { count, facts, folded, instant, quoted, section } from '../parts.ts';
import { search } from '../search.ts';

const MOST_IN_FULL = 60;
const MOST_ROWS = 3000;
const MOST_LISTED = 100;

const CLASSES: readonly ChangeClass[] = ['breaking', 'unknown', 'compatible'];

const TITLES: Readonly<Record<ChangeClass, string>> = {
  breaking: 'Breaking',
  unknown: 'Unknown',
  compatible: 'Compatible',
};

const LEADS: Readonly<Record<ChangeClass, string>> = {
  breaking: 'Callers that work today may fail.',
  unknown: 'Whether callers notice is unknown.',
  compatible: 'Callers that work today go on working.',
};

/**
 * The page of a comparison, `comparison.html`: what changed from one run or snapshot to another, by root cause.
 * @param document where the whole comparison was written, if it was
 */
export function renderComparisonPage(comparison: Comparison, document?: string): string {
  const { counts, groups, notes, before, after } = comparison;
  const heading = headingOf(comparison);
  const obstacle = obstacleOf(comparison);
  const changes = new Map(comparison.changes.map((change) => [change.id, change]));
  const own = CLASSES.map((name) => [name, groups.filter((group) => group.class === name)] as const);
  return renderPage({
    title: `${heading}: ${cut(after.url, 120)}`,
    body: frame({
      heading,
      state:
        obstacle !== undefined
          ? 'inconclusive'
          : counts.breaking > 0
            ? 'fail'
            : counts.unknown > 0
              ? 'inconclusive'
              : 'pass',
      head: [
        obstacle === undefined ? undefined : html`<p class="reason">${cut(obstacle)}.</p>`,
        html`<p class="reason">${countsOf(comparison)}.</p>`,
        facts([
          ['Before', sideOf(before)],
          ['After', sideOf(after)],
        ]),
      ],
      ways: [
        ...own
          .filter(([, members]) => members.length > 0)
          .map(([name]) => [name, TITLES[name], count(counts[name])] as const),
        ['changes', 'All changes', count(comparison.changes.length)],
      ],
      search: search('changes', [
        { name: 'state', label: 'Class', values: CLASSES.map((name) => [name, TITLES[name]] as const) },
        {
          name: 'area',
          label: 'Namespace',
          values: ownersOf(groups).map((owner) => [owner, owner] as const),
        },
      ]),
      content: [
        notes.length === 0
          ? undefined
          : section(
              'notes',
              'To know first',
              html`<ul>${notes.slice(0, MOST_LISTED).map((note) => html`<li>${cut(note)}</li>`)}</ul>`,
            ),
        own.map(([name, members]) => classOf(name, members, counts[name], changes)),
        allChanges(comparison.changes, document),
      ],
      foot:
        document === undefined
          ? html`<span>diff --out keeps everything that stands here as data.</span>`
          : html`<span>${cut(document)} has everything that stands here.</span>`,
    }),
  });
}

function headingOf({ counts, inconclusive }: Comparison): string {
  if (inconclusive !== undefined) return 'Nothing can be concluded';
  if (counts.breaking > 0) return plural(counts.breaking, 'breaking change');
  if (counts.unknown > 0) return `Nothing known to break, ${plural(counts.unknown, 'unknown change')}`;
  return counts.compatible > 0 ? 'No breaking change' : 'Nothing changed';
}

function sideOf({ url, kind, taken }: ComparedSide): Markup {
  return html`<span><code>${cut(url, 300)}</code>, ${kind} of ${instant(taken)}</span>`;
}

function ownersOf(groups: readonly Group[]): string[] {
  return [...new Set(groups.map(({ owner }) => owner.slice(0, 120)))];
}

function classOf(
  name: ChangeClass,
  groups: readonly Group[],
  number: number,
  changes: ReadonlyMap<string, Change>,
): Part {
  if (groups.length === 0) return undefined;
  const rest = groups.slice(MOST_IN_FULL);
  return section(
    name,
    `${TITLES[name]}: ${plural(number, 'change')} from ${plural(groups.length, 'cause')}`,
    html`<p>${LEADS[name]}</p>`,
    groups.slice(0, MOST_IN_FULL).map((group) => card(group, changes)),
    rest.length === 0
      ? undefined
      : folded(
          plural(rest.length, 'further cause'),
          html`<ul>${rest.slice(0, MOST_ROWS).map(({ sentence }) => html`<li>${cut(sentence, 300)}</li>`)}</ul>`,
        ),
  );
}

function card(group: Group, changes: ReadonlyMap<string, Change>): Markup {
  const own = group.changes.flatMap((id) => changes.get(id) ?? []);
  const [first] = own;
  return html`<article class=${`card ${group.class}`} id=${`group-${group.id.toWellFormed().slice(0, 300)}`}>
    <h3><a href=${linkTo(group.id)}>${stretchesOf(group, changes).map(({ text, isCode }) => (isCode ? html`<code>${cut(text, 400)}</code>` : cut(text, 400)))}</a></h3>
    ${facts([
      ['Namespace', cut(group.owner, 200)],
      ['Before', quoted(first?.before, 400)],
      ['After', quoted(first?.after, 400)],
      ['Lost', first?.lost === undefined ? undefined : quoted(first.lost.join(', '), 600)],
      ['Gained', first?.gained === undefined ? undefined : quoted(first.gained.join(', '), 600)],
      ['What to do', cut(group.advice)],
    ])}
    ${
      own.length <= 1
        ? undefined
        : folded(
            `In ${plural(own.length, 'place')}`,
            html`<ul class="named">${own.slice(0, MOST_LISTED).map(({ id, place, subject }) => html`<li><a href=${linkTo(id)}>${cut(`${place} ${subject}`, 200)}</a></li>`)}</ul>`,
          )
    }
    ${
      group.hanging.length === 0
        ? undefined
        : folded(
            dependingOn(group),
            html`<ul class="named">${group.hanging.slice(0, MOST_LISTED).map((id) => html`<li><a href=${linkTo(id)}>${cut(id, 200)}</a></li>`)}</ul>`,
          )
    }
  </article>`;
}

/** Every change, folded away by namespace. */
function allChanges(changes: readonly Change[], document: string | undefined): Part {
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, MOST_ROWS);
  return section(
    'changes',
    'All changes',
    [...Map.groupBy(shown, ({ owner }) => owner)].map(
      ([owner, own]) => html`<details class="group" data-area=${owner.slice(0, 120)}>
        <summary><b>${cut(owner, 120)}</b> <span class="quiet">${plural(own.length, 'change')}</span></summary>
        <ul class="rows">${own.map((change) => html`<li class=${change.class} id=${anchorOf(change.id)}><b>${cut(change.place, 150)}</b> ${cut(change.subject, 150)} <em>${cut(movement(change), 200)}</em></li>`)}</ul>
      </details>`,
    ),
    changes.length > shown.length
      ? html`<p class="quiet">and ${changes.length - shown.length} more${document === undefined ? '' : ` in ${document}`}</p>`
      : undefined,
  );
}

function movement({ before, after }: Change): string {
  if (before === undefined && after === undefined) return '';
  return `${before ?? 'nothing'} → ${after ?? 'nothing'}`;
}
