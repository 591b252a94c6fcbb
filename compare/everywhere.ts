import { plainRoute } from '../client/route-pattern.ts';
import { loadVersions, type Versions } from '../specs/versions/versions.ts';
import type { Group } from './groups.ts';
import { type Surface, versionPlace } from './surface.ts';

/** What is known about the software of a side: its index, and the given version. */
interface SoftwareOf {
  readonly surface: Surface | undefined;
  readonly software: string | undefined;
}

/**
 * Marks the causes that every site shows between the software versions of both sides: those that the known
 * steps between them also have.
 */
export function markEverywhere(
  groups: readonly Group[],
  [was, is]: readonly [SoftwareOf, SoftwareOf],
  versions: Versions | undefined = loadVersions(),
): Group[] {
  if (versions === undefined) return [...groups];
  const [from, to] = [placeOf(was, versions), placeOf(is, versions)];
  if (from === undefined || to === undefined || from >= to) return [...groups];
  const known = new Set(
    versions.steps
      .slice(from, to)
      .flatMap(({ breaking, unknown, others = [] }) => [...breaking, ...unknown, ...others])
      .map(({ id, headline }) => keyOf(id, headline)),
  );
  const [first, last] = [versions.runs[from]?.version, versions.runs[to]?.version];
  const everywhere = `${versions.software} ${first} to ${last}`;
  return groups.map((group) =>
    known.has(keyOf(group.digest, plainRoute(group.headline))) ? { ...group, everywhere } : group,
  );
}

/** A headline without the number of places, in which sites differ. */
function keyOf(id: string, headline: string): string {
  const thing = headline.replace(/: \d+ (?:routes|places|methods)$/, '');
  return `${id} ${thing.slice(thing.indexOf(': ') + 1).trim()}`;
}

/** The given version has precedence over the one that an index looks like, and covers its patch releases. */
function placeOf({ surface, software }: SoftwareOf, versions: Versions): number | undefined {
  if (software === undefined) return surface && versionPlace(surface, versions);
  const [, name, version = ''] = /^(.*?)\s+(\d\S*)$/.exec(software) ?? [];
  if (name?.toLowerCase() !== versions.software.toLowerCase()) return undefined;
  const at = versions.runs.findIndex((run) => minorOf(run.version) === minorOf(version));
  return at === -1 ? undefined : at;
}

function minorOf(version: string): string {
  return version.split(/[.-]/).slice(0, 2).join('.');
}
