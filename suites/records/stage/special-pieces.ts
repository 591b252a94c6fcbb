import { takes } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import { FAR_AHEAD } from '../own/far-ahead.ts';
import { isProtected, type SiteRecord, valuesOf } from '../reading/record.ts';
import type { Fields, Piece, StageGround } from './piece.ts';
import { dateOf, open, titled } from './plain-pieces.ts';

const TRASH = 'trash';

/** Names that themes give templates beside the usual one; which ones a site has is not published. */
const TEMPLATES = ['page-no-title', 'no-title', 'wide'];

/** The records of a collection that one kind of check alone needs: of another status, author, or with a password. */
export function specialPieces(resource: Resource, create: Operation, ground: StageGround): Piece[] {
  const { id: collection, statuses, protects } = resource;
  const piece = (at: number, name: string, title: string, must: Fields): Omit<Piece, 'isShownBy'> => ({
    collection,
    name,
    must: { ...titled(resource, ground.tag, title, at), ...must },
    beside: { date: dateOf(at + 6) },
  });
  const others = (statuses?.kept ?? []).filter((status) => status !== statuses?.open);
  const trashes = resource.trash === true && statuses?.listed.includes(TRASH) === true;
  const hasStatus = (status: string) => (record: SiteRecord) => valuesOf(record, 'status')?.[0] === status;
  return [
    ...(takes(create, 'sticky')
      ? [
          {
            ...piece(0, 'a sticky one', 'Always in front', { ...open(resource), sticky: true }),
            isShownBy: (record: SiteRecord) => valuesOf(record, 'sticky')?.[0] === true,
          },
        ]
      : []),
    ...(protects === true && takes(create, 'password')
      ? [
          {
            ...piece(1, 'a protected one', 'Behind the door', {
              ...open(resource),
              password: 'open sesame',
              excerpt: 'A guarded excerpt.',
            }),
            isShownBy: isProtected,
          },
        ]
      : []),
    ...others.map((status, at) => ({
      ...piece(2 + at, `one with the status ${status}`, `Kept as ${status}`, {
        status,
        ...(status === 'future' && { date: FAR_AHEAD }),
      }),
      ...(status === 'future' && { beside: {} }),
      isShownBy: hasStatus(status),
    })),
    ...(trashes
      ? [
          {
            ...piece(7, 'one in the trash', 'Thrown away', { status: 'draft' }),
            trashed: true as const,
            isShownBy: hasStatus(TRASH),
          },
        ]
      : []),
    ...(takes(create, 'author')
      ? ground.authors.map((author, at) => ({
          ...piece(8 + at, 'one of another author', 'By somebody else', { ...open(resource), author }),
          isShownBy: isByAnother(ground),
        }))
      : []),
    ...(takes(create, 'template')
      ? TEMPLATES.map((template) => ({
          ...piece(5, 'one with a template', 'Under a roof', { ...open(resource), template }),
          beside: {},
          isShownBy: (record: SiteRecord) => (valuesOf(record, 'template')?.[0] ?? '') !== '',
        }))
      : []),
  ];
}

/** Whether the records that a site shows are of several authors. */
function isByAnother({ shown }: StageGround): (record: SiteRecord) => boolean {
  const authors = new Set(shown.flatMap((record) => valuesOf(record, 'author') ?? []));
  return () => authors.size > 1;
}
