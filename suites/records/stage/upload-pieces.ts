import type { Operation, Resource } from '../../../specs/model.ts';
import { type FileKind, typeOfFile } from '../own/upload-file.ts';
import { valuesOf } from '../reading/record.ts';
import type { Piece, StageGround } from './pieces.ts';
import { plainPieces } from './plain-pieces.ts';

/** How many pictures there are: as many as it takes to tell orders apart. */
const PICTURES = 3;
const KINDS: readonly FileKind[] = ['sound', 'text'];

/** The files of a collection of uploads: some pictures, and one file of each other kind. */
export function uploadPieces(resource: Resource, create: Operation, ground: StageGround): Piece[] {
  return plainPieces(resource, create, ground)
    .slice(0, PICTURES + KINDS.length)
    .map((piece, at) => {
      const described = {
        ...piece,
        beside: { ...piece.beside, alt_text: `Number ${at}`, caption: `Seen from ${at} sides` },
      };
      const file = KINDS[at - PICTURES];
      if (file === undefined) return { ...described, file: 'picture' as const };
      const type = typeOfFile(file);
      return {
        ...described,
        name: `a ${file}`,
        file,
        isShownBy: (records) => records.some((record) => valuesOf(record, 'mime_type')?.[0] === type),
        serves: ['media_type', 'mime_type'],
      };
    });
}
