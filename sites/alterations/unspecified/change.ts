import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { Behaviour } from '../../reference/site.ts';
import type { Arg, Entry, IndexDocument } from '../toolkit/index-document.ts';
import type { Ask } from './ask.ts';

/** An answer of the healthy site, on its way to the caller. */
export interface Passing {
  readonly method: string;
  readonly route: string;
  readonly anonymous: boolean;
  status: number;
  readonly headers: Record<string, string>;
  json: unknown;
}

/** What a site does otherwise where the specification is silent. */
export interface Change {
  /** In the index. */
  readonly index?: (index: IndexDocument) => void;
  /** In any other answer. */
  readonly answer?: (passing: Passing) => void;
  /** In what it does. */
  readonly behaviour?: (behaviour: Behaviour) => Partial<Behaviour>;
  /** In how it reads the headers of a request. */
  readonly request?: (headers: IncomingHttpHeaders) => void;
  /** What a caller sees in that place and no other; the index where it is left out. Every call has a fresh site. */
  readonly shows?: (ask: Ask) => Promise<unknown>;
  /** The one deployment that has the place; every one where it is left out. */
  readonly deployment?: 'b';
}

/** Changes every declaration of a parameter, those inside of others too. */
export function eachArg(index: IndexDocument, change: (arg: Arg, entry: Entry) => void): void {
  const inside = (arg: Arg, entry: Entry): void => {
    for (const inner of Object.values(arg.properties ?? {})) inside(inner, entry);
    if (arg.items !== undefined) inside(arg.items, entry);
    change(arg, entry);
  };
  for (const entry of Object.values(index.routes)) {
    for (const { args } of entry.endpoints) for (const arg of Object.values(args)) inside(arg, entry);
  }
}

/** The declarations of a parameter on the routes whose pattern fits; there is one at least. */
export function argsOf(index: IndexDocument, pattern: RegExp, name: string): Arg[] {
  const found = Object.entries(index.routes)
    .filter(([route]) => pattern.test(route))
    .flatMap(([, { endpoints }]) => endpoints)
    .map(({ args }) => args[name])
    .filter((arg) => arg !== undefined);
  assert(found.length > 0, `no route like ${pattern.source} declares ${name}`);
  return found;
}
