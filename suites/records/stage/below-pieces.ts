import type { Resource } from '../../../specs/model.ts';
import { parentOf } from '../reading/record.ts';
import type { Piece, StageGround } from './pieces.ts';
import { dateOf, open, titled } from './plain-pieces.ts';

const TITLES = ['Below the first', 'Below the second', 'Another below the first'];

/**
 * Records that belong to others: pages below pages, files of posts.
 * @param parents ids of records that they may name
 */
export function belowPieces(resource: Resource, ground: StageGround, parents: readonly number[]): Piece[] {
  const { belongsTo } = resource;
  if (belongsTo === undefined || parents.length === 0) return [];
  return TITLES.map((title, at) => ({
    collection: resource.id,
    name: 'ones that belong to others',
    must: {
      ...titled(resource, ground.tag, title, at + 3),
      ...open(resource),
      [belongsTo]: parents[at % Math.min(parents.length, 2)],
    },
    beside: { date: dateOf(at + 20), menu_order: 9 - at },
    ...(resource.kind === 'uploads' && { file: 'picture' as const }),
    isShownBy: (records) => records.some((record) => (parentOf(record)?.[0] ?? 0) > 0),
    serves: [belongsTo, 'parent', 'parent_exclude', 'orderby'],
  }));
}
