import type { Change } from '../../compare/change.ts';
import type { Comparison } from '../../compare/comparison.ts';
import type { Group } from '../../compare/groups.ts';
import { brief } from '../../compare/sentences.ts';
import { plural } from '../text.ts';

/** A sentence names the first few places only. */
const MOST_NAMES = 20;
/** What reads as code: a list, an object, a group of a pattern. */
const STRUCTURE = /^[[{(]/;
const ARTICLE = /^the (route|namespace|scheme) /;

/** What was looked at, in words: `17 namespaces, 204 routes, 2,310 parameters and 3,412 checks`. */
export function lookedAt({ looked }: Comparison): string {
  const parts = [
    ...(looked.routes === 0
      ? []
      : [
          plural(looked.namespaces, 'namespace'),
          plural(looked.routes, 'route'),
          plural(looked.parameters, 'parameter'),
        ]),
    ...(looked.fields === undefined ? [] : [`${plural(looked.fields, 'field')} of records`]),
    ...(looked.checks === 0 ? [] : [plural(looked.checks, 'check')]),
  ];
  if (parts.length === 0) return 'nothing that both sides have';
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** How many changes of each class, in words; the line that stands alone where there are none. */
export function countsOf(comparison: Comparison): string {
  const { breaking, unknown, compatible } = comparison.counts;
  if (breaking + unknown + compatible === 0) {
    return `${comparison.inconclusive === undefined ? 'nothing changed' : 'no change seen'}: ${lookedAt(comparison)} compared`;
  }
  const causes = plural(comparison.groups.length, 'cause');
  return `changes: ${breaking} breaking, ${unknown} unknown, ${compatible} compatible, from ${causes}; ${lookedAt(comparison)} compared`;
}

/** Why nothing can be concluded, in one line; undefined where something can. */
export function obstacleOf({ inconclusive }: Comparison): string | undefined {
  return inconclusive && `nothing can be concluded: ${inconclusive.join('; ')}`;
}

/** How much depends on a cause: `2 other changes depend on it`. */
export function dependingOn({ hanging }: Group): string {
  return `${plural(hanging.length, 'other change')} ${hanging.length === 1 ? 'depends' : 'depend'} on it`;
}

/** A stretch of a sentence, and whether it is the name of a thing of the site. */
export interface Stretch {
  readonly text: string;
  readonly isCode: boolean;
}

/** A sentence in stretches: the places that its changes are about, such as `GET /wp/v2/posts`, and their values are code. */
export function stretchesOf({ sentence, changes }: Group, known: ReadonlyMap<string, Change>): Stretch[] {
  const names = changes.slice(0, MOST_NAMES).flatMap((id) => {
    const { place = '', before = '', after = '' } = known.get(id) ?? {};
    const values = [before, after].map(brief).filter((value) => STRUCTURE.test(value));
    return [place.replace(ARTICLE, ''), ...values];
  });
  let rest = [{ text: sentence, isCode: false }];
  for (const name of [...new Set(names)]
    .filter((one) => /[/.[{(]/.test(one))
    .sort((a, b) => b.length - a.length)) {
    rest = rest.flatMap((stretch): Stretch[] => {
      if (stretch.isCode) return [stretch];
      return stretch.text
        .split(name)
        .flatMap((text, at) => [
          ...(at === 0 ? [] : [{ text: name, isCode: true }]),
          { text, isCode: false },
        ]);
    });
  }
  return rest.filter(({ text }) => text !== '');
}
