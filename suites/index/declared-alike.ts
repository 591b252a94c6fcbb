import type { Difference } from '../../engine/equal.ts';
import { enoughAlike, list, show } from '../../engine/findings.ts';
import { fixture, type Session } from '../../engine/session.ts';
import {
  compareDeclared,
  type DeclaredOutcome,
  declaredBasis,
  declaredId,
  type Stated,
  statedIn,
} from '../../probing/declarations/compare-constraint.ts';
import type { Operation } from '../../specs/model.ts';
import { type Constraint, placeOf, typesOf } from '../../specs/schema.ts';

/**
 * The ids of the selected checks that differ for one cause, which the first of them reports: in the index, a namespace,
 * an operation, or one of its methods.
 */
export async function alikeTo(session: Session, stated: Stated, method: string): Promise<readonly string[]> {
  const { operation, constraint } = stated;
  const id = declaredId(stated);
  const alikeWith = async (trait: string, within: string): Promise<readonly string[] | undefined> => {
    const alike = await alikeIn(session, constraint.kind, trait, within);
    return alike.find((ids) => ids.includes(id));
  };
  const malformed = await malformedIn(session, constraint.kind, basisGroup(stated));
  if (malformed.includes(id)) return malformed;
  for (const within of ['', operation.route.namespace, operation.id, method]) {
    const bare = await bareIn(session, basisGroup(stated), within);
    if (bare.includes(id)) return bare;
    for (const trait of traitsOf(stated)) {
      const found = await alikeWith(trait, within);
      if (found !== undefined) return found;
    }
  }
  const ofRole = await alikeWith(roleTraitOf(stated), '');
  return ofRole ?? (await sameEnumsIn(session, nameTraitOf(stated))).find((ids) => ids.includes(id)) ?? [];
}

/** Checks of all keywords, where no declaration has any: it names its parameters alone. */
const bareIn = fixture('bare declarations', async (session, basis: string, within: string) => {
  const isIncluded = (stated: Stated): boolean =>
    isOfKeyword(stated.constraint) && basisGroup(stated) === basis;
  const all = declaredWithin(session, within, isIncluded);
  return areUniform(all) && all[0]?.words[0] === show(undefined) ? failing(session, all) : [];
});

/** Whether a constraint is a keyword of a declaration, or the declaration of a part, which a declaration may lack. */
function isOfKeyword({ kind, steps, schema }: Constraint): boolean {
  if (kind === 'declared') return steps.length > 0;
  if (kind === 'additionalProperties') return schema.additionalProperties === false;
  return !['required', 'absent', 'default/absent', 'contexts', 'variants', 'published'].includes(kind);
}

/** Checks of one kind whose keyword is malformed: a site prints one alike in parameters and their parts. */
const malformedIn = fixture('malformed', async (session, kind: string, basis: string) => {
  const all = declaredWithin(
    session,
    '',
    (stated) => stated.constraint.kind === kind && basisGroup(stated) === basis,
  );
  return failing(session, all.filter(isMalformed));
});

function isMalformed({ outcomes }: Declared): boolean {
  return outcomes.some((outcome) => typeof outcome === 'object' && outcome.malformed === true);
}

/**
 * Checks of one kind, in groups: each declaration shows the same, such as no type; what the contract states alike is
 * declared alike, such as each integer as a number.
 */
const alikeIn = fixture('alike', async (session, kind: string, trait: string, within: string) => {
  const all = declaredWithin(
    session,
    within,
    (stated) => stated.constraint.kind === kind && [...traitsOf(stated), roleTraitOf(stated)].includes(trait),
  );
  if (areUniform(all)) return [failing(session, all)];
  const statedAlike = Map.groupBy(
    all.filter((declared) => !isMalformed(declared)),
    ({ stated }) => statedWords(stated.constraint),
  );
  return [...statedAlike.values()].filter(areUniform).map((group) => failing(session, group));
});

/**
 * Checks of the enum of one parameter, in groups of the same difference: a word that software adds to the status of some
 * types of content is one decision, although others keep the words of the contract.
 */
const sameEnumsIn = fixture('same enums', async (session, trait: string) => {
  const all = declaredWithin(
    session,
    '',
    (stated) => stated.constraint.kind === 'enum' && nameTraitOf(stated) === trait,
  );
  const wrong = all.filter(({ outcomes }) => outcomes.some(isPlain));
  const alike = Map.groupBy(wrong, ({ stated, words }) =>
    show([statedWords(stated.constraint), ...new Set(words)]),
  );
  return [...alike.values()].map((group) => failing(session, group));
});

/** The name of one method of an operation. */
export function methodId({ id }: Operation, { method }: DeclaredOutcome): string {
  return `${id} ${method}`;
}

/** A constraint, and how the site declares it. */
interface Declared {
  readonly stated: Stated;
  readonly outcomes: readonly DeclaredOutcome['outcome'][];
  /** What the declarations show, in words, where that is known. */
  readonly words: readonly string[];
}

function declaredWithin(
  { contract, index }: Session,
  within: string,
  isIncluded: (stated: Stated) => boolean,
): Declared[] {
  return contract.operations
    .filter(({ id, route }) => ['', route.namespace].includes(within) || `${within} `.startsWith(`${id} `))
    .flatMap(statedIn)
    .filter(isIncluded)
    .map((stated) => {
      const outcomes = compareDeclared(index, stated)
        .filter((served) => !within.includes(' ') || methodId(stated.operation, served) === within)
        .map(({ outcome }) => outcome);
      return { stated, outcomes, words: outcomes.flatMap((outcome) => shownInWords(stated, outcome)) };
    });
}

function areUniform(all: readonly Declared[]): boolean {
  return new Set(all.flatMap(({ words }) => words)).size === 1;
}

function failing(session: Session, all: readonly Declared[]): readonly string[] {
  const ids = all.flatMap(({ stated, outcomes }) => (outcomes.some(isPlain) ? [declaredId(stated)] : []));
  return enoughAlike(session, ids);
}

/**
 * The traits that declarations of one cause share, the widest first: a parameter or a part of one, or a part of one
 * kind. The verdict too, for a warning stands for no failure. A site may declare what its routes capture alone.
 */
function traitsOf(stated: Stated): readonly string[] {
  const basis = basisGroup(stated);
  const step = stated.constraint.steps.at(-1);
  if (step !== undefined) return [`part ${basis}`, `${step.to} ${basis}`];
  return [`parameter ${basis}`, ...(stated.parameter.in === 'path' ? [] : [`argument ${basis}`])];
}

/** The trait that operations of one role share, such as the status of each list. */
function roleTraitOf(stated: Stated): string {
  return `${stated.operation.role} ${nameTraitOf(stated)}`;
}

function nameTraitOf(stated: Stated): string {
  return `${stated.parameter.name}/${placeOf(stated.constraint.steps)} ${basisGroup(stated)}`;
}

function basisGroup(stated: Stated): string {
  const basis = declaredBasis(stated);
  return basis === 'doubtful' || basis === 'published' ? basis : 'firm';
}

/** Whether an outcome is a failure that another check does not report. */
function isPlain(outcome: DeclaredOutcome['outcome']): outcome is Difference {
  return typeof outcome === 'object' && !outcome.mistyped && !outcome.undecided && !outcome.advisory;
}

/** What a declaration shows for a constraint, in words; empty if it is not known. */
function shownInWords({ constraint }: Stated, outcome: DeclaredOutcome['outcome']): string[] {
  if (typeof outcome === 'object') return isPlain(outcome) ? [outcome.observed] : [];
  // Several types may be found in variants, which are declared otherwise.
  const isEither = constraint.kind === 'type' && typesOf(constraint.schema).length > 1;
  return outcome !== undefined || isEither ? [] : [statedWords(constraint)];
}

function statedWords({ kind, schema, required }: Constraint): string {
  if (kind === 'declared') return 'a declaration';
  if (kind === 'required') return required === true ? 'required' : 'optional';
  if (kind === 'type') return list(typesOf(schema));
  // No default is null.
  return show(Object.entries(schema).find(([name]) => name === kind)?.[1] ?? undefined);
}
