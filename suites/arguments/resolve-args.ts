import type { Session } from '../../engine/session.ts';
import { sampleResource } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import type { Args } from './call.ts';
import { firstId } from './path-arguments.ts';

const PLACEHOLDER = '{id}';

/** Replaces `{id}` in companions by the id of an existing record of the operation's collection, or of the sample. */
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
