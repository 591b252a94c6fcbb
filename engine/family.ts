import { areaOf, type Check } from './check.ts';

/** How many complete checks of a contract are kept in memory. Small sites have fewer. */
const MOST_KEPT = 10_000;

/** Members with the same values in many checks. */
const SHARED = ['kind', 'effect', 'needsUser', 'about'] as const;

/** Members that few checks use. They are looked up in the family. */
const OTHERS = [
  'title',
  'section',
  'basis',
  'binding',
  'fuzz',
  'parameter',
  'place',
  'namespace',
  'fragment',
  'field',
  'dependsOn',
  'buildsOn',
  'groups',
  'byChance',
  'run',
] as const;

/** Members that plans and runs use for every check, and the end of its id. */
type SharedMembers = Pick<Check, (typeof SHARED)[number]> & { readonly rest: string };

/** Checks that are made together, and made again if they are needed after they were dropped. */
interface Family {
  readonly made: readonly Check[];
}

/** Makes families of checks that keep little of each check in memory. @returns a function that gives the same checks */
export function familyMaker(): <T>(subject: T, make: (subject: T) => readonly Check[]) => readonly Check[] {
  const shared = new Map<string, SharedMembers>();
  /** The complete checks of each family, those made first being dropped first. */
  const kept = new Map<Family, readonly Check[]>();
  let count = 0;
  const keep = (family: Family, made: readonly Check[]): readonly Check[] => {
    kept.set(family, made);
    count += made.length;
    for (const [oldest, checks] of kept) {
      if (count <= MOST_KEPT || oldest === family) break;
      count -= checks.length;
      kept.delete(oldest);
    }
    return made;
  };
  return (subject, make) => {
    const family: Family = {
      get made() {
        return kept.get(family) ?? keep(family, make(subject));
      },
    };
    const prefixes = new Map<string, string>();
    return family.made.map((check, at) => {
      const { prefix, rest } = partsOf(check);
      const key = [...SHARED.map((name) => check[name]), rest].join(' ');
      const { kind, effect, needsUser, about } = check;
      const members = shared.get(key) ?? { kind, effect, needsUser, about, rest };
      shared.set(key, members);
      const known = prefixes.get(prefix) ?? prefix;
      prefixes.set(known, known);
      return new FamilyCheck(known, check.operation, members, family, at);
    });
  };
}

/** Divides an id behind its operation, or before its last part, so that many checks share each of the two. */
function partsOf({ id, operation }: Check): { readonly prefix: string; readonly rest: string } {
  if (id.startsWith(`${operation}/`)) return { prefix: operation ?? '', rest: id.slice(operation?.length) };
  const last = Math.max(id.lastIndexOf('/'), 0);
  return { prefix: id.slice(0, last), rest: id.slice(last) };
}

class FamilyCheck implements Check {
  readonly operation: string | undefined;
  readonly #prefix: string;
  readonly #shared: SharedMembers;
  readonly #family: Family;
  readonly #at: number;

  constructor(
    prefix: string,
    operation: string | undefined,
    shared: SharedMembers,
    family: Family,
    at: number,
  ) {
    this.operation = operation;
    this.#prefix = prefix;
    this.#shared = shared;
    this.#family = family;
    this.#at = at;
  }

  get id(): string {
    return this.#prefix + this.#shared.rest;
  }

  get area(): string {
    return areaOf(this.id);
  }

  get whole(): Check {
    const whole = this.#family.made[this.#at];
    if (whole === undefined) throw new Error(`its family does not make ${this.id} again`);
    return whole;
  }

  declare readonly kind: Check['kind'];
  declare readonly effect: Check['effect'];
  declare readonly needsUser: Check['needsUser'];
  declare readonly about: Check['about'];
  declare readonly title: Check['title'];
  declare readonly section: Check['section'];
  declare readonly basis: Check['basis'];
  declare readonly binding: Check['binding'];
  declare readonly fuzz: Check['fuzz'];
  declare readonly parameter: Check['parameter'];
  declare readonly place: Check['place'];
  declare readonly namespace: Check['namespace'];
  declare readonly fragment: Check['fragment'];
  declare readonly field: Check['field'];
  declare readonly dependsOn: Check['dependsOn'];
  declare readonly buildsOn: Check['buildsOn'];
  declare readonly groups: Check['groups'];
  declare readonly byChance: Check['byChance'];
  declare readonly run: Check['run'];

  static {
    const define = (name: string, read: (check: FamilyCheck) => unknown): void => {
      Object.defineProperty(FamilyCheck.prototype, name, {
        get(this: FamilyCheck) {
          return read(this);
        },
      });
    };
    for (const name of SHARED) define(name, (check) => check.#shared[name]);
    for (const name of OTHERS) define(name, (check) => check.whole[name]);
  }
}

/** A copy of a check with all of its members as own properties. */
export function wholeCheck(check: Check): Check {
  return check instanceof FamilyCheck ? check.whole : check;
}
