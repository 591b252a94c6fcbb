import { createTwoFilesPatch } from 'diff';
import { mergeJson } from './merge-json.ts';
import { shown } from './values.ts';

/** A file of a working folder in its three versions, as text; undefined where there is none. */
interface FileVersions {
  readonly path: string;
  /** As it was made the last time. */
  readonly base: string | undefined;
  /** As its owner has it. */
  readonly own: string | undefined;
  /** As it is made now; undefined where the site publishes nothing of it any more. */
  readonly site: string | undefined;
}

/** What is going to happen to a file. */
export interface FilePlan {
  readonly path: string;
  readonly what: 'new' | 'changed' | 'removed' | 'kept' | 'same';
  /** The text to write; undefined where the file goes or stays as it is. */
  readonly text: string | undefined;
  /** How it differs from what is there, as a unified diff; empty where nothing does. */
  readonly diff: string;
  /** Lines on places where the owner's version stays though the site has changed them too. */
  readonly conflicts: readonly string[];
}

const CONTEXT = 3;

/** A document as the text of a file. */
export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Decides what happens to a file: what its owner has changed stays, what the site has changed is taken over.
 * @throws SyntaxError where the owner's version is not JSON
 */
export function planFile(versions: FileVersions): FilePlan {
  const { path, base, own, site } = versions;
  const outcome = (
    what: FilePlan['what'],
    text: string | undefined,
    conflicts: readonly string[] = [],
  ): FilePlan => ({ path, what, text, conflicts, diff: diffOf(path, own, text, what) });
  if (site === undefined) {
    if (own === undefined) return outcome('same', undefined);
    if (own === base) return outcome('removed', undefined);
    return outcome('kept', undefined, ['the site publishes nothing of it any more, and you have changed it']);
  }
  if (own === undefined) {
    if (base === undefined) return outcome('new', site);
    return outcome(
      'kept',
      undefined,
      base === site ? [] : ['you have removed it, and the site has changed it'],
    );
  }
  if (own === site || base === site) return outcome('same', undefined);
  if (own === base) return outcome('changed', site);
  const merged = mergeJson(parsed(base), parsed(own), parsed(site));
  const text = textOf(merged.value);
  const conflicts = merged.conflicts.map(
    ({ place, own: mine, site: theirs }) =>
      `${place.join(' > ')}: yours is ${shown(mine)}, and stays; the site has ${shown(theirs)}`,
  );
  return JSON.stringify(parsed(own)) === JSON.stringify(merged.value)
    ? outcome('same', undefined, conflicts)
    : outcome('changed', text, conflicts);
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function diffOf(
  path: string,
  own: string | undefined,
  text: string | undefined,
  what: FilePlan['what'],
): string {
  if (what !== 'changed' && what !== 'removed') return '';
  return createTwoFilesPatch(path, path, own ?? '', text ?? '', undefined, undefined, { context: CONTEXT });
}
