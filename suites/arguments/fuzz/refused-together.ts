import type { Observation } from '../../../client/observation.ts';
import type { FuzzOptions } from '../../../engine/fuzz-options.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import type { FuzzSet } from '../../../probing/search/note-tried.ts';
import { provenTogether } from '../proven-together.ts';
import { namesRefused } from '../refused-by-name.ts';
import { type SendSet, showsInside } from './properties.ts';

/** From this many examples on, each set is sent alone, which shows what another invalid argument could hide. */
const EACH_ALONE = 40;

/** Sets of one invalid argument each, and a refusal of all at once that names each of them. */
interface Refused {
  readonly sets: readonly FuzzSet[];
  readonly args: Args;
  readonly answer: Observation;
}

/** Sends several sets at once if the site names what it refuses. Sets that it does not name have to be sent alone. */
async function refusedTogether(
  { examples }: FuzzOptions,
  sets: readonly FuzzSet[],
  send: SendSet,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  const drawn = sets.filter(({ phase, about }) => phase !== 'kept' && about.length === 1);
  if (examples >= EACH_ALONE) return refused;
  await provenTogether(drawn, canShareRequest, async (together) => {
    const invalid = together.flatMap(({ args, about }) =>
      about.map(({ name }) => [name, args[name]] as const),
    );
    const args = { ...together[0]?.args, ...Object.fromEntries(invalid) };
    const answer = await send(args, false);
    const named = answer.answer === 'refused' ? namesRefused(answer) : [];
    const shown = together.filter(({ about }) => about.some(({ name }) => named.includes(name)));
    if (shown.length === 0 || named.length > shown.length) return undefined;
    refused.push({ sets: shown, args, answer });
    return shown;
  });
  return refused;
}

/** Whether sets can be sent together: each argument is invalid once, and none has a valid one of the first. */
function canShareRequest(beside: readonly FuzzSet[], one: FuzzSet): boolean {
  const invalid = new Set([...beside, one].flatMap(({ about }) => about.map(({ name }) => name)));
  return (
    invalid.size > beside.length && Object.keys(beside[0]?.args ?? {}).some((name) => !invalid.has(name))
  );
}

/** Sends sets that must be refused, in as few requests as prove each. Those marked fresh are sent unchanged. */
export function sendTogether(fuzz: FuzzOptions, sets: readonly FuzzSet[], send: SendSet): SendSet {
  const ask = async (): Promise<ReadonlyMap<string, Observation>> => {
    const refused = await refusedTogether(fuzz, sets, send);
    return new Map(
      refused.flatMap(({ answer, sets: some }) =>
        some.map(({ args }) => [JSON.stringify(args), answer] as const),
      ),
    );
  };
  let asked: ReturnType<typeof ask> | undefined;
  return async (args, fresh) => {
    if (fresh) return send(args, fresh);
    asked ??= ask();
    return (await asked).get(JSON.stringify(args)) ?? send(args, fresh);
  };
}

/** The sets that must be refused and whose refusal reveals internals. */
export async function refusalsShowingInside(
  fuzz: FuzzOptions,
  sets: readonly FuzzSet[],
  send: SendSet,
): Promise<FuzzSet[]> {
  const refused = await refusedTogether(fuzz, sets, send);
  const together = new Set(refused.flatMap((one) => one.sets));
  const shown = refused
    .filter(({ answer }) => showsInside(answer))
    .map(
      ({ sets: some, args }): FuzzSet => ({
        phase: 'boundary',
        args,
        about: some.flatMap(({ about }) => about),
      }),
    );
  for (const set of sets) {
    const { phase, args, about } = set;
    if (phase === 'kept' || together.has(set)) continue;
    if (showsInside(await send(args, false))) shown.push({ phase, args, about });
  }
  return shown;
}
