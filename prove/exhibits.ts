import type { Comparison } from '../compare/comparison.ts';

/** How a run reads an altered site: a full tour, and the checks that read lists and records in each context. */
export const EXHIBIT_RUN = {
  tour: 'full',
  // Filters read one list often enough to measure it.
  only: ['*/answers/**', '**/contexts/**', 'pages.list/exclude/**', 'pages.list/include/**'],
  // A change of rights shows if several callers send the same requests.
  callers: { anonymous: {}, editor: { passwordFrom: 'SITE_CONFORMANCE_EDITOR' } },
} as const;

/** The causes that are not compatible, each with its class and the kind and subject of its first change. */
export function causesSaid({ groups, changes }: Pick<Comparison, 'groups' | 'changes'>): string[] {
  const known = new Map(changes.map((one) => [one.id, one]));
  return groups
    .filter((group) => group.class !== 'compatible')
    .map((group) => `${group.class} ${known.get(group.id)?.kind} ${known.get(group.id)?.subject}`);
}
