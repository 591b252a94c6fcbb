import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { compareAsked, likenessOf } from '../../../engine/equal.ts';
import { describe, failure, inconclusive, show } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Free, Property } from '../../../probing/search/note-tried.ts';
import { type Call, toRequest } from '../call.ts';
import { UNKNOWN, withoutTexts } from '../likeness.ts';
import { amongValid, endOf, type FuzzContext } from './properties.ts';
import { SPECIAL_NAMES } from './strange-values.ts';

/** An equivalent way to send the same arguments. */
export interface OtherWay {
  readonly what: string;
  /** Arguments in the order in which they are sent, and how lists are written. */
  ask(args: Args): Pick<Call, 'args' | 'lists'>;
  /** Used if this way is denied: a firewall may block names that attacks use. */
  readonly milder?: OtherWay;
}

/** Names that programming languages reserve, which no software uses as parameters. */
const SPECIAL = Object.fromEntries(SPECIAL_NAMES.map((name) => [name, 'sample']));

/** With parameters that no operation has. */
export const BESIDE_UNKNOWN: OtherWay = {
  what: 'unknown parameters beside it (such as x_not_a_parameter and __proto__)',
  ask: (args) => ({ args: { ...args, ...UNKNOWN, ...SPECIAL } }),
  milder: {
    what: 'an unknown parameter beside it',
    ask: (args) => ({ args: { ...args, ...UNKNOWN } }),
  },
};

/** In another order and spelling. */
export const OTHERWISE_WRITTEN: OtherWay = {
  what: 'its arguments in the opposite order and lists with commas',
  ask: (args) => ({ args: Object.fromEntries(Object.entries(args).reverse()), lists: 'commas' }),
};

/** All other ways at once: if the answer is the same, none has to be tried alone. Unknown names come last. */
const ALL_WAYS: OtherWay['ask'] = (args) => {
  const written = OTHERWISE_WRITTEN.ask(args);
  return { ...written, ...BESIDE_UNKNOWN.ask(written.args) };
};

/** An accepted call gets the same answer in another way, between equal readings and apart from the address. */
export function unchanged(
  { session, operation, baseline }: FuzzContext,
  free: readonly Free[],
  way: OtherWay,
): Property {
  return {
    ...amongValid(free),
    async evaluate(given, fresh) {
      const args = { ...baseline.args, ...given };
      const spec = toRequest({ operation, ...baseline, args });
      const ask = (): Promise<Observation> => session.client.request(spec);
      const askBy = (other: OtherWay): Promise<Observation> =>
        session.client.request(toRequest({ operation, ...baseline, ...other.ask(args) }));
      const plain = fresh ? await ask() : await session.ask(spec);
      const end = endOf(plain);
      if (plain.answer !== 'accepted') return { end };
      const atOnce = fresh
        ? undefined
        : await session.ask(toRequest({ operation, ...baseline, ...ALL_WAYS(args) }));
      if (atOnce !== undefined && likenessOf(plain, atOnce, withoutTexts) === 'same') return { end };
      const first = await askBy(way);
      const taken = first.answer === 'denied' ? (way.milder ?? way) : way;
      if (likenessOf(plain, taken === way ? first : await askBy(taken), withoutTexts) === 'same')
        return { end };
      const what = `${show(given)} for ${operation.id}`;
      const finding = await compare(what, taken, ask, () => askBy(taken));
      return { end, finding, kind: 'changed' };
    },
  };
}

/** Only fresh requests sent side by side prove a difference. */
async function compare(
  what: string,
  way: OtherWay,
  ask: () => Promise<Observation>,
  askOther: () => Promise<Observation>,
): Promise<Finding | undefined> {
  const compared = await compareAsked(ask, askOther, withoutTexts);
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
