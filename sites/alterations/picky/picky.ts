import { invalidParameters } from '../../reference/arguments.ts';
import type { JsonObject } from '../../reference/json.ts';
import { Refusal } from '../../reference/request.ts';
import type { Behaviour, Call, Handler, Site } from '../../reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../reference/standard-behaviour.ts';
import { REPAIRED } from '../mutants/repairs.ts';
import { healthy } from '../toolkit/handling.ts';
import { KINDS } from './kinds.ts';
import { COMPANIONS, RULES } from './rules.ts';

/** Routes of plugins that anybody may call. */
const OPEN: ReadonlySet<string> = new Set(['seo.get-head', 'posts.list']);

/**
 * A site whose plugins take only what names something of it: content types, users, addresses, ids that exist, and codes
 * that the owner alone knows.
 * @param inner what else is different about the site
 */
export function picky(inner: Partial<Behaviour> = {}): Partial<Behaviour> {
  const readArguments = inner.readArguments ?? STANDARD_BEHAVIOUR.readArguments;
  const handlers = inner.handlers ?? STANDARD_BEHAVIOUR.handlers;
  const demanding = new Set([...RULES.map(({ operation }) => operation), ...Object.keys(COMPANIONS)]);
  const wrapped = [...demanding].map((id): [string, Handler] => [
    id,
    (call) => {
      if (call.request.account !== undefined || OPEN.has(id)) judgeMeaning(call);
      return (handlers[id] ?? healthy)(call);
    },
  ]);
  return {
    ...inner,
    handlers: { ...handlers, ...Object.fromEntries(wrapped) },
    readArguments: (parameters, given, asked) => {
      const args = readArguments(parameters, given, asked);
      const wrong = brokenRule(asked.operation.id, 'validation', args);
      if (wrong !== undefined) throw invalidParameters({ [wrong]: 'This site has no such thing.' });
      return args;
    },
  };
}

function judgeMeaning({ operation, args, site }: Call): void {
  const wrong = brokenRule(operation.id, 'meaning', args, site);
  if (wrong !== undefined) throw new Refusal('unknown_thing', `This site does not have that ${wrong}.`, 400);
  for (const { when, needs } of COMPANIONS[operation.id] ?? []) {
    const concerned = when === undefined || String(args[when[0]]) === when[1];
    if (concerned && args[needs] === undefined) throw new Refusal('alone', `It needs ${needs}.`, 400);
  }
}

/** The first argument that breaks a rule of an operation; what is left out, or was made of something invalid, breaks none. */
function brokenRule(id: string, stage: string, args: JsonObject, site?: Site): string | undefined {
  return RULES.find(({ operation, parameter, kind, stage: own }) => {
    const value = args[parameter];
    if (operation !== id || own !== stage || value === undefined || value === null || value === REPAIRED)
      return false;
    return !KINDS[kind](value, site);
  })?.parameter;
}
