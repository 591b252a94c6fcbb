import { namesRefused } from '../../../client/answer.ts';
import type { Observation } from '../../../client/observation.ts';
import type { FuzzOptions } from '../../../engine/fuzz-options.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { type FuzzSet, THOROUGH } from '../../../probing/search/fuzz-sets.ts';
import { provenTogether } from '../proven-together.ts';
import { type SendSet, showsInside } from './properties.ts';

/** A refusal of several invalid arguments at once, and the sets of one of them each that it names. */
interface SharedRefusal {
  readonly sets: readonly FuzzSet[];
  readonly args: Args;
  readonly answer: Observation;
}

/** Sends several sets at once if the site names what it refuses. Sets that it does not name have to be sent alone. */
async function sharedRefusals(
  { examples }: FuzzOptions,
  sets: readonly FuzzSet[],
  send: SendSet,
): Promise<SharedRefusal[]> {
  // A set that is sent alone shows what another invalid argument could hide.
  if (examples >= THOROUGH) return [];
  const refusals: SharedRefusal[] = [];
  const drawn = sets.filter(({ phase, about }) => phase !== 'kept' && about.length === 1);
  await provenTogether(drawn, canShareRequest, async (together) => {
    const invalid = together.flatMap(({ args, about }) =>
      about.map(({ name }) => [name, args[name]] as const),
    );
    const args = { ...together[0]?.args, ...Object.fromEntries(invalid) };
    const answer = await send(args, false);
    const refused = namesRefused(answer);
    const named = together.filter(({ about }) => about.some(({ name }) => refused.includes(name)));
    if (named.length === 0 || refused.length > named.length) return 'useless';
    refusals.push({ sets: named, args, answer });
    return named;
  });
  return refusals;
}

/** Whether sets can be sent together: each argument is invalid once, and none has a valid one of the first. */
function canShareRequest(beside: readonly FuzzSet[], one: FuzzSet): boolean {
  const invalid = new Set([...beside, one].flatMap(({ about }) => about.map(({ name }) => name)));
  return (
    invalid.size > beside.length && Object.keys(beside[0]?.args ?? {}).some((name) => !invalid.has(name))
  );
}

/** Sends sets that must be refused, in as few requests as prove each. Those marked fresh are sent unchanged. */
export function sharingRefusals(fuzz: FuzzOptions, sets: readonly FuzzSet[], send: SendSet): SendSet {
  const ask = async (): Promise<ReadonlyMap<string, Observation>> => {
    const shared = await sharedRefusals(fuzz, sets, send);
    return new Map(
      shared.flatMap(({ sets: named, answer }) =>
        named.map(({ args }) => [JSON.stringify(args), answer] as const),
      ),
    );
  };
  let answers: ReturnType<typeof ask> | undefined;
  return async (args, fresh) => {
    if (fresh) return send(args, fresh);
    answers ??= ask();
    return (await answers).get(JSON.stringify(args)) ?? send(args, fresh);
  };
}

/** The sets that must be refused and whose refusal reveals internals. */
export async function refusalsShowingInside(
  fuzz: FuzzOptions,
  sets: readonly FuzzSet[],
  send: SendSet,
): Promise<FuzzSet[]> {
  const shared = await sharedRefusals(fuzz, sets, send);
  const named = new Set(shared.flatMap((refusal) => refusal.sets));
  const found = shared
    .filter(({ answer }) => showsInside(answer))
    .map(({ sets: together, args }): FuzzSet => {
      return { phase: 'boundary', args, about: together.flatMap(({ about }) => about) };
    });
  for (const set of sets) {
    const { phase, args, about } = set;
    if (phase === 'kept' || named.has(set)) continue;
    if (showsInside(await send(args, false))) found.push({ phase, args, about });
  }
  return found;
}
