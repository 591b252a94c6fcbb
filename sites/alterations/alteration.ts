import { isDeepStrictEqual } from 'node:util';
import type { Behaviour } from '../reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../reference/standard-behaviour.ts';

/** One way in which a site differs from the healthy one. */
export interface Alteration {
  /** Of a mutant what it breaks and how: `posts.list/per_page/maximum~wider`; of any other a word or a few with hyphens. */
  readonly id: string;
  /** A sentence about such a site, in the present tense. */
  readonly title: string;
  /** The check that must notice it, or the first parts of its id. No check may notice one without: such a site conforms. */
  readonly breaks?: string;
  /** What it does in place of what the usual site does; a function makes it for one site, because some count. */
  readonly behaviour: Partial<Behaviour> | ((usual: Behaviour) => Partial<Behaviour>);
}

/** One way to break a healthy site, so that exactly one requirement is not met. */
export interface Mutant extends Alteration {
  readonly breaks: string;
  readonly behaviour: Partial<Behaviour>;
}

/** A mutant. @param id what it breaks, `~`, and how: a word or a few with hyphens, unique among those that break the same */
export function mutant(id: string, title: string, behaviour: Partial<Behaviour>): Mutant {
  return { id, breaks: id.slice(0, id.lastIndexOf('~')), title, behaviour };
}

/** What a site with some alterations does; those that are functions alter what the others make of it, one after the other. */
export function altered(alterations: readonly Pick<Alteration, 'behaviour'>[]): Partial<Behaviour> {
  const fixed = alterations.flatMap(({ behaviour }) => (typeof behaviour === 'function' ? [] : [behaviour]));
  let site: Behaviour = { ...STANDARD_BEHAVIOUR, ...(fixed.length > 1 ? composed(fixed) : fixed[0]) };
  for (const { behaviour } of alterations) {
    if (typeof behaviour === 'function') site = { ...site, ...behaviour(site) };
  }
  return site;
}

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
