import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { compareAsked, likenessOf } from '../../../engine/equal.ts';
import { failure, inconclusive, show } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { simplerValid } from '../../../generators/shrink.ts';
import type { Free, Property } from '../../../probing/search/fuzz-set.ts';
import type { Operation } from '../../../specs/model.ts';
import { type Args, toRequest } from '../call.ts';
import type { Ground } from '../control.ts';
import { endOf } from './properties.ts';

/** A name that no software gives a meaning to. */
const UNKNOWN = 'x_not_a_parameter';

/** Another way to ask for the same. */
export interface OtherWay {
  /** What is different, in words. */
  readonly what: string;
  /** Arguments in the order in which they are sent, and how lists are written. */
  ask(args: Args): { readonly args: Args; readonly lists?: 'commas' | 'brackets' };
}

/** Asking once more, beside a parameter that nobody knows. */
export const BESIDE_UNKNOWN: OtherWay = {
  what: 'an unknown parameter beside it',
  ask: (args) => ({ args: { ...args, [UNKNOWN]: 'sample' } }),
};

/** The same arguments in the opposite order, with lists written with commas. */
export const OTHERWISE_WRITTEN: OtherWay = {
  what: 'its arguments in the opposite order and lists with commas',
  ask: (args) => ({ args: Object.fromEntries(Object.entries(args).reverse()), lists: 'commas' }),
};

/** What was accepted is answered alike when it is asked in another way; a difference counts between equal readings only. */
export function unchanged(
  session: Session,
  operation: Operation,
  ground: Ground,
  free: readonly Free[],
  way: OtherWay,
): Property {
  const schemas = new Map(free.map(({ parameter, schema }) => [parameter.wire, schema]));
  const requestOf = (args: Args, lists?: 'commas' | 'brackets'): ReturnType<typeof toRequest> =>
    toRequest({ operation, ...ground, args, lists });
  return {
    keepsSubject: false,
    async evaluate(given, fresh) {
      const args = { ...ground.args, ...given };
      const other = way.ask(args);
      const ask = (): Promise<Observation> => session.client.request(requestOf(args));
      const askOther = (): Promise<Observation> => session.client.request(requestOf(other.args, other.lists));
      const plain = fresh ? await ask() : await session.ask(requestOf(args));
      const end = endOf(plain);
      if (plain.answer !== 'accepted') return { end };
      if (likenessOf(plain, await askOther()) === 'same') return { end };
      const finding = await compare(`${show(given)} for ${operation.id}`, way, ask, askOther);
      return { end, finding, kind: 'changed' };
    },
    simpler: (name, value) => simplerValid(schemas.get(name) ?? {}, value),
    reportedBy: async () => undefined,
  };
}

/** Only fresh requests side by side are a proof. */
async function compare(
  what: string,
  way: OtherWay,
  ask: () => Promise<Observation>,
  askOther: () => Promise<Observation>,
): Promise<Finding | undefined> {
  const compared = await compareAsked(ask, askOther);
  if (compared.end === 'same') return undefined;
  if (compared.end === 'unread') return inconclusive(`the answer to ${what} is more than is read`);
  if (compared.end === 'unsteady')
    return inconclusive(`${what} was answered otherwise each time it was asked`);
  const { first, other } = compared;
  return failure(`${what} is answered otherwise with ${way.what}`, {
    expected: `the same answer (${describe(first)})`,
    observed: describe(other),
    reproduce: [first.curl, other.curl],
  });
}
