import { takes } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import { FAR_AHEAD } from '../own/far-ahead.ts';
import { isProtected, type SiteRecord, valuesOf } from '../reading/record.ts';
import type { Fields, Piece, StageGround } from './pieces.ts';
import { dateOf, open, titled } from './plain-pieces.ts';

const TRASH = 'trash';

/** The records of a collection that one kind of check alone needs: of another status, author, or with a password. */
export function specialPieces(resource: Resource, create: Operation, ground: StageGround): Piece[] {
  return [
    ...(takes(create, 'sticky') ? [stickyPiece(resource, ground)] : []),
    ...(resource.protects === true && takes(create, 'password') ? [protectedPiece(resource, ground)] : []),
    ...statusPieces(resource, ground),
    ...(takes(create, 'author') ? authorPieces(resource, ground) : []),
    ...(takes(create, 'template') ? templatePieces(resource, ground) : []),
  ];
}

function stickyPiece(resource: Resource, ground: StageGround): Piece {
  return {
    ...piece(resource, ground, 0, { title: 'Always in front', ...open(resource), sticky: true }),
    name: 'a sticky one',
    isShownBy: (records) => records.some((record) => valuesOf(record, 'sticky')?.[0] === true),
    serves: ['sticky', 'ignore_sticky'],
  };
}

function protectedPiece(resource: Resource, ground: StageGround): Piece {
  const fields = { ...open(resource), password: 'open sesame', excerpt: 'A guarded excerpt.' };
  return {
    ...piece(resource, ground, 1, { title: 'Behind the door', ...fields }),
    name: 'a protected one',
    isShownBy: (records) => records.some(isProtected),
    serves: ['password', 'content', 'excerpt'],
  };
}

/** One record of each status that is kept, beside the open one; and one in the trash. */
function statusPieces(resource: Resource, ground: StageGround): Piece[] {
  const { statuses, trash } = resource;
  if (statuses === undefined) return [];
  const others = statuses.kept.filter((status) => status !== statuses.open);
  const hasStatus = (status: string) => (records: readonly SiteRecord[]) =>
    records.some((record) => valuesOf(record, 'status')?.[0] === status);
  const kept = others.map((status, at): Piece => {
    const ahead = status === 'future' ? { date: FAR_AHEAD } : {};
    return {
      ...piece(resource, ground, 2 + at, { title: `Kept as ${status}`, status, ...ahead }),
      ...(status === 'future' && { beside: {} }),
      name: `one with the status ${status}`,
      isShownBy: hasStatus(status),
      serves: ['status'],
    };
  });
  if (trash !== true || !statuses.listed.includes(TRASH)) return kept;
  const thrown = piece(resource, ground, 7, { title: 'Thrown away', status: 'draft' });
  const name = 'one in the trash';
  return [...kept, { ...thrown, name, trashed: true, isShownBy: hasStatus(TRASH), serves: ['status'] }];
}

function authorPieces(resource: Resource, ground: StageGround): Piece[] {
  return ground.authors.map((author, at) => ({
    ...piece(resource, ground, 8 + at, { title: 'By somebody else', ...open(resource), author }),
    name: 'one of another author',
    isShownBy: (records) => new Set(records.flatMap((record) => valuesOf(record, 'author') ?? [])).size > 1,
    serves: ['author', 'author_exclude'],
  }));
}

function templatePieces(resource: Resource, ground: StageGround): Piece[] {
  return ground.templates.map((template) => ({
    ...piece(resource, ground, 5, { title: 'Under a roof', ...open(resource), template }),
    beside: {},
    name: 'one with a template',
    isShownBy: (records) => records.some((record) => (valuesOf(record, 'template')?.[0] ?? '') !== ''),
    serves: ['template'],
  }));
}

/** @param at another number for each, so that their dates differ */
function piece(
  resource: Resource,
  { tag }: StageGround,
  at: number,
  { title, ...must }: Fields & { readonly title: string },
): Pick<Piece, 'collection' | 'must' | 'beside'> {
  return {
    collection: resource.id,
    must: { ...titled(resource, tag, title, at), ...must },
    beside: { date: dateOf(at + 6) },
  };
}
