import { existsSync } from 'node:fs';
import type { GivenWaiver, RunWaivers } from '../../engine/waivers.ts';
import { closest } from '../../specs/validators.ts';
import { knownIn, knownWaivers } from '../../specs/waivers.ts';
import { UsageError } from '../usage-error.ts';
import { readWaivers } from './read-waivers.ts';

/** The name that stands for what is known of published software. */
const KNOWN = 'known';

/**
 * Loads the waivers of a run.
 * @param names paths of files, or `known`; @param about the vocabulary of the run, and the software of the site where it was told
 * @param now the time at which the run begins
 * @throws UsageError, SpecError for a file that cannot be used
 */
export function loadWaivers(
  names: readonly string[],
  about: { readonly vocabulary: string; readonly software: string | undefined },
  now: Date,
): RunWaivers {
  return {
    today: now.toISOString().slice(0, 'yyyy-mm-dd'.length),
    software: about.software,
    // A file of the user's own says more about a site than the list for everybody.
    given: [...new Set(names)]
      .toSorted((one, other) => Number(one === KNOWN) - Number(other === KNOWN))
      .flatMap(givenBy),
    upstream: knownIn(about.vocabulary),
  };
}

function givenBy(name: string): GivenWaiver[] {
  if (name !== KNOWN && !existsSync(name) && closest(name, [KNOWN]) !== undefined) {
    throw new UsageError(`--waivers ${name}: there is no such file; did you mean "${KNOWN}"?`);
  }
  const waivers = name === KNOWN ? knownWaivers() : readWaivers(name).waivers;
  return waivers.map((waiver) => ({ ...waiver, shipped: name === KNOWN }));
}
