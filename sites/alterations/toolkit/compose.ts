import { isDeepStrictEqual } from 'node:util';
import type { Behaviour } from '../../reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../reference/standard-behaviour.ts';

type Maps = 'filters' | 'termFilters' | 'orders' | 'contexts' | 'writers' | 'handlers';

const MAPS: readonly Maps[] = ['filters', 'termFilters', 'orders', 'contexts', 'writers', 'handlers'];

/**
 * A site that is broken in several ways at once. Each way keeps what it changes; where two of them change the same thing,
 * the later one wins.
 */
export function composed(ways: readonly Partial<Behaviour>[]): Partial<Behaviour> {
  const site: Partial<Behaviour> = {
    declare: (index) => {
      for (const { declare } of ways) declare?.(index);
    },
    readArguments: readingLike(ways.flatMap(({ readArguments }) => readArguments ?? [])),
  };
  for (const { send, mediaFilter } of ways) {
    if (send) site.send = send;
    if (mediaFilter) site.mediaFilter = mediaFilter;
  }
  for (const name of MAPS) Object.assign(site, { [name]: merged(name, ways) });
  return site;
}

function merged(name: Maps, ways: readonly Partial<Behaviour>[]): Behaviour[Maps] {
  const standard: Readonly<Record<string, unknown>> = STANDARD_BEHAVIOUR[name];
  const changes = ways.flatMap((way) =>
    Object.entries(way[name] ?? {}).filter(([key, value]) => standard[key] !== value),
  );
  return { ...STANDARD_BEHAVIOUR[name], ...Object.fromEntries(changes) };
}

type Read = Behaviour['readArguments'];

/** Reads arguments as the first reader does that reads them otherwise than a healthy site. */
function readingLike(readers: readonly Read[]): Read {
  return (parameters, given, asked) => {
    const healthy = outcomeOf(STANDARD_BEHAVIOUR.readArguments, parameters, given, asked);
    const outcomes = readers.map((read) => outcomeOf(read, parameters, given, asked));
    const outcome = outcomes.find((one) => differs(one, healthy)) ?? healthy;
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.args;
  };
}

type Outcome = { readonly args: ReturnType<Read> } | { readonly thrown: unknown };

function outcomeOf(read: Read, ...given: Parameters<Read>): Outcome {
  try {
    return { args: read(...given) };
  } catch (thrown) {
    return { thrown };
  }
}

function differs(one: Outcome, other: Outcome): boolean {
  if ('thrown' in one || 'thrown' in other) return 'thrown' in one !== 'thrown' in other;
  return !isDeepStrictEqual(one.args, other.args);
}
