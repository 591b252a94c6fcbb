import type { Check } from './check.ts';

/** How many complete checks of a contract are kept in memory. Small sites have fewer. */
const MOST_HELD = 10_000;

const REACH = ['area', 'kind', 'effect', 'mode', 'needsUser', 'operation', 'about'] as const;

/** Members that few checks use. They are looked up in the family. */
const REST = [
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
  'run',
] as const;

/** Members that plans and runs use for every check. Checks that are made together mostly share them. */
type Reach = Pick<Check, (typeof REACH)[number]>;

/** The families of one contract that are kept in memory. The oldest is dropped first. */
class HeldFamilies {
  #held: { forget(): number }[] = [];
  /** How many of them were dropped. */
  #gone = 0;
  #checks = 0;

  take(family: { forget(): number }, checks: number): void {
    this.#held.push(family);
    this.#checks += checks;
    while (this.#checks > MOST_HELD && this.#gone < this.#held.length - 1) {
      this.#checks -= this.#held[this.#gone]?.forget() ?? 0;
      this.#gone += 1;
    }
    if (this.#gone < MOST_HELD) return;
    this.#held = this.#held.slice(this.#gone);
    this.#gone = 0;
  }
}

/**
 * Makes families of checks that keep little of each check in memory, whatever the size of a site.
 * @returns a function that returns the same checks each time that it is called for a subject
 */
export function familyMaker(): <T>(subject: T, make: (subject: T) => readonly Check[]) => readonly Check[] {
  const held = new HeldFamilies();
  return (subject, make) => new Family(subject, make, held).checks;
}

/** Checks that are made together, and made again if they are needed after they were dropped. */
class Family<T> {
  readonly #subject: T;
  readonly #make: (subject: T) => readonly Check[];
  readonly #held: HeldFamilies;
  #checks: readonly Check[] | undefined;

  constructor(subject: T, make: (subject: T) => readonly Check[], held: HeldFamilies) {
    this.#subject = subject;
    this.#make = make;
    this.#held = held;
  }

  /** The complete checks, kept or made again. */
  get made(): readonly Check[] {
    if (this.#checks !== undefined) return this.#checks;
    this.#checks = this.#make(this.#subject);
    if (this.#checks.length > 0) this.#held.take(this, this.#checks.length);
    return this.#checks;
  }

  /** The checks with only the members that plans need. */
  get checks(): Check[] {
    let reach: Reach | undefined;
    return this.made.map((check, at) => {
      if (reach === undefined || !isSame(reach, check)) reach = reachOf(check);
      return new LateCheck(check.id, reach, this, at);
    });
  }

  /** Drops the complete checks. @returns how many there were */
  forget(): number {
    const count = this.#checks?.length ?? 0;
    this.#checks = undefined;
    return count;
  }
}

function reachOf({ area, kind, effect, mode, needsUser, operation, about }: Check): Reach {
  return { area, kind, effect, mode, needsUser, operation, about };
}

function isSame(one: Reach, other: Reach): boolean {
  return REACH.every((name) => one[name] === other[name]);
}

/** A check that looks up most of its members in its family. */
class LateCheck implements Check {
  readonly id: string;
  readonly #reach: Reach;
  readonly #family: { readonly made: readonly Check[] };
  readonly #at: number;

  constructor(id: string, reach: Reach, family: { readonly made: readonly Check[] }, at: number) {
    this.id = id;
    this.#reach = reach;
    this.#family = family;
    this.#at = at;
  }

  /** The complete check. */
  get whole(): Check {
    const whole = this.#family.made[this.#at];
    if (whole === undefined) throw new Error(`its family does not make ${this.id} again`);
    return whole;
  }

  declare readonly area: Check['area'];
  declare readonly kind: Check['kind'];
  declare readonly effect: Check['effect'];
  declare readonly mode: Check['mode'];
  declare readonly needsUser: Check['needsUser'];
  declare readonly operation: Check['operation'];
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
  declare readonly run: Check['run'];

  static {
    for (const name of REACH) {
      Object.defineProperty(LateCheck.prototype, name, {
        get(this: LateCheck) {
          return this.#reach[name];
        },
      });
    }
    for (const name of REST) {
      Object.defineProperty(LateCheck.prototype, name, {
        get(this: LateCheck) {
          return this.whole[name];
        },
      });
    }
  }
}

/** A copy of a check with all of its members as own properties. */
export function wholeCheck(check: Check): Check {
  return check instanceof LateCheck ? check.whole : check;
}
