import type { Comparison } from '../../compare/comparison.ts';
import type { Group } from '../../compare/groups.ts';
import { plural } from '../text.ts';

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
  if (breaking + unknown + compatible === 0) return `nothing changed: ${lookedAt(comparison)} compared`;
  const causes = plural(comparison.groups.length, 'cause');
  return `${breaking} breaking, ${unknown} unknown, ${compatible} compatible, from ${causes}; ${lookedAt(comparison)} compared`;
}

/** How much hangs on a cause: `2 other changes hang on it`. */
export function hangingOn({ hanging }: Group): string {
  return `${plural(hanging.length, 'other change')} ${hanging.length === 1 ? 'hangs' : 'hang'} on it`;
}
