import type { Collection } from '../../../client/journal.ts';
import type { FileKind } from '../own/upload-file.ts';
import type { SiteRecord } from '../reading/record.ts';

/** Values of fields by their neutral names. */
export type Fields = Readonly<Record<string, unknown>>;

/** One record of the stage: what checks need to see, and what makes it. */
export interface Piece {
  readonly collection: Collection;
  /** What it is for, for a reader: `a protected one`. Of several with one name, one is enough. */
  readonly name: string;
  /** What makes it what it is. */
  readonly must: Fields;
  /** What it has beside that where the site takes it. */
  readonly beside: Fields;
  /** The file of an upload. */
  readonly file?: FileKind;
  /** Whether it goes into the trash once it is made. */
  readonly trashed?: true;
  /** Whether some records show what it is for; without it the piece is one of the plain ones. */
  readonly isShownBy?: (records: readonly SiteRecord[]) => boolean;
  /** The parameters whose checks need it; those of every one where it has none. */
  readonly serves?: readonly string[];
}

/** What is known of a site when its stage is set. */
export interface StageGround {
  readonly tag: string;
  /** Records of the collection that the site shows, in every status. */
  readonly shown: readonly SiteRecord[];
  /** Ids of terms by the neutral name of the field that takes them; ids to try where none are known. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  /** Ids of users who may be authors. */
  readonly authors: readonly number[];
  /** Names of templates to try. */
  readonly templates: readonly string[];
}
