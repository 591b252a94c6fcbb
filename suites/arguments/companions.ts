import type { Session } from '../../engine/session.ts';
import { sampleResource } from '../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Args } from './call.ts';
import { firstId } from './path-arguments.ts';

/** What a value needs beside it to be accepted: facts of the interface that no declaration expresses. */
interface Companion {
  readonly parameter: string;
  readonly value: unknown;
  /** Further arguments; `{id}` stands for the id of an existing record. */
  readonly with?: Args;
  /** It is only for callers with credentials. */
  readonly needsUser?: boolean;
}

const PLACEHOLDER = '{id}';

const COMPANIONS: readonly Companion[] = [
  { parameter: 'orderby', value: 'relevance', with: { search: 'a' } },
  { parameter: 'orderby', value: 'include', with: { include: [PLACEHOLDER] } },
  { parameter: 'orderby', value: 'include_slugs', with: { slug: ['sample'] } },
  { parameter: 'context', value: 'edit', needsUser: true },
];

/**
 * The companion of an argument; undefined when it stands alone. A list has the companion of its first item. Every status
 * but the default ones is for callers with credentials.
 */
export function companionOf({ name, schema }: Parameter, value: unknown): Companion | undefined {
  const items = [value].flat();
  const open = [schema.default].flat();
  if (name === 'status' && schema.default !== undefined && items.some((item) => !open.includes(item))) {
    return { parameter: name, value, needsUser: true };
  }
  return COMPANIONS.find((companion) => companion.parameter === name && companion.value === items[0]);
}

/** The arguments that a value needs beside it, with an id of the site. */
export async function argsBeside(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): Promise<Args> {
  return resolveArgs(session, companionOf(parameter, value)?.with ?? {}, operation);
}

/** Replaces `{id}` in requiredArguments by the id of an existing record of the operation's collection, or of the sample. */
export async function resolveArgs(session: Session, args: Args, operation: Operation): Promise<Args> {
  const text = JSON.stringify(args);
  if (!text.includes(PLACEHOLDER)) return args;
  const { resource } = operation;
  const collection = resource?.parent ?? resource?.id ?? sampleResource(session.contract)?.id;
  const id = (collection === undefined ? undefined : await firstId(session, collection)) ?? 1;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => (item === PLACEHOLDER ? id : item)) : value,
    ]),
  );
}
