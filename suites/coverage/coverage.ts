import { MODES, type RunMode } from '../../client/mode.ts';
import { type Check, checkId, MODE_OF_EFFECT } from '../../engine/check.ts';
import { show } from '../../engine/findings.ts';
import { selectorOf } from '../../engine/glob.ts';
import {
  declaredBasis,
  declaredId,
  describeStated,
  type Stated,
  statedIn,
} from '../../probing/declarations/compare-constraint.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import type { Basis } from '../../specs/operation-file.ts';
import type { Constraint } from '../../specs/schema.ts';
import { type Requirement, textsOf, type Unspecified } from '../../specs/texts.ts';

/** A requirement with its checks. */
export interface CoveredRequirement {
  readonly id: string;
  readonly section: string;
  readonly basis: Basis;
  readonly statement: string;
  /** The source: `requirements.json`, or a constraint of a parameter of the contract. */
  readonly from: 'requirements' | 'contract';
  readonly checks: readonly string[];
  /** The modes that its checks need, the weakest first; a run in the last mode tries all of them. */
  readonly modes: readonly RunMode[];
  /** How many of its checks need credentials. */
  readonly needCredentials: number;
  /** Ids of the mutants of the reference deployment that violate what its checks test. */
  readonly mutants: readonly string[];
  readonly reason?: string;
}

/** What the checks of one contract cover, and what they do not. */
export interface Coverage {
  readonly deployment: string;
  readonly vocabulary: string;
  readonly checks: number;
  readonly requirements: readonly CoveredRequirement[];
  readonly unclaimed: readonly string[];
  readonly unspecified: readonly Unspecified[];
}

/** A mutant of the reference deployment, and the id, or its first parts, of the check that must find it. */
interface KnownMutant {
  readonly id: string;
  readonly breaks: string;
}

/**
 * The coverage of a contract: each requirement of §1 to §9 with its checks, or the reason why it has none.
 * @param checks all checks of the contract
 * @param data default: the built-in requirements and unspecified points, and no mutants
 * @throws UsageError for built-in data that break their schemas
 */
export function coverageOf(
  contract: Contract,
  checks: readonly Check[],
  {
    requirements = textsOf('requirements'),
    unspecified = textsOf('unspecified'),
    mutants = [],
  }: {
    readonly requirements?: readonly Requirement[];
    readonly unspecified?: readonly Unspecified[];
    readonly mutants?: readonly KnownMutant[];
  } = {},
): Coverage {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const rows = [
    ...requirements.map((row) => ({ row, from: 'requirements' as const })),
    ...[...statedConstraints(contract), ...publishedRequirements(contract)].map((row) => ({
      row,
      from: 'contract' as const,
    })),
  ];
  const claims = claimedBy(
    checks.map(({ id }) => id),
    rows.map(({ row }) => row.checks ?? []),
  );
  const claimed = new Set(claims.flat());
  const breaking = mutantsByCheck([...byId.keys()], mutants);
  return {
    deployment: contract.deployment,
    vocabulary: contract.vocabulary,
    checks: checks.length,
    requirements: rows.map(({ row, from }, at) => {
      const { id, section, basis, statement } = row;
      const own = (claims[at] ?? []).flatMap((check) => byId.get(check) ?? []);
      const reason = own.length > 0 ? undefined : reasonOf(row, contract);
      return {
        id,
        section,
        basis,
        statement,
        from,
        checks: own.map((check) => check.id),
        modes: MODES.filter((mode) => own.some((check) => MODE_OF_EFFECT[check.effect] === mode)),
        mutants: [...new Set(own.flatMap((check) => breaking.get(check.id) ?? []))],
        needCredentials: own.filter(({ needsUser }) => needsUser === true).length,
        ...(reason !== undefined && { reason }),
      };
    }),
    unclaimed: [...byId.keys()].filter((id) => !claimed.has(id)),
    unspecified,
  };
}

/** The ids of the mutants that each check must find, by check id. @param checks ids of checks */
export function mutantsByCheck(
  checks: readonly string[],
  mutants: readonly KnownMutant[],
): ReadonlyMap<string, readonly string[]> {
  const below = byParents(checks);
  const found = new Map<string, string[]>(checks.map((check) => [check, []]));
  for (const { id, breaks } of mutants) {
    for (const check of below.get(breaks) ?? []) found.get(check)?.push(id);
  }
  return found;
}

/** The reason why a requirement has no check: its namespaces are not served, or its own reason. */
function reasonOf({ namespaces, reason }: Requirement, contract: Contract): string | undefined {
  if (namespaces !== undefined && !contract.namespaces.some(({ name }) => namespaces.includes(name))) {
    return `${contract.deployment} does not serve ${namespaces.join(' or ')}`;
  }
  return reason;
}

/** The ids of the requirements of each check, by check id. */
export function requirementsByCheck(coverage: Coverage): ReadonlyMap<string, readonly string[]> {
  const pairs = coverage.requirements.flatMap(({ id, checks }) => checks.map((check) => ({ check, id })));
  const byCheck = [...Map.groupBy(pairs, ({ check }) => check)];
  return new Map(byCheck.map(([check, some]) => [check, some.map(({ id }) => id)]));
}

const SIGN = /[*?{[(!]/;

/** For each list of globs: the ids that it selects with all ids below them, in order. */
function claimedBy(ids: readonly string[], lists: readonly (readonly string[])[]): (readonly string[])[] {
  const below = byParents(ids);
  const places = [...below.keys()];
  return lists.map((globs) => {
    const [only] = globs.length === 1 ? globs : [];
    if (only !== undefined && !SIGN.test(only)) return below.get(only) ?? [];
    const above = globs.flatMap((glob) => (SIGN.test(glob) ? places.filter(selectorOf(glob)) : [glob]));
    const selected = new Set(above.flatMap((place) => below.get(place) ?? []));
    return ids.filter((id) => selected.has(id));
  });
}

/** The ids at or below each id or part of an id before a slash. */
function byParents(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const id of ids) {
    for (let end = id.length; end > 0; end = id.lastIndexOf('/', end - 1)) {
      const parent = id.slice(0, end);
      const list = found.get(parent);
      if (list === undefined) found.set(parent, [id]);
      else list.push(id);
    }
  }
  return found;
}

/** Every section of the specification that can state something, in order. */
const SECTIONS: readonly string[] = [
  ...['1', '2', '3', '4'],
  ...Array.from({ length: 10 }, (_, at) => `4.${at + 1}`),
  ...['5', '6', '7', '8', '9'],
];

/** One section: what it states, and what is unspecified. */
export interface SectionCoverage {
  readonly section: string;
  readonly requirements: readonly CoveredRequirement[];
  readonly empty: readonly CoveredRequirement[];
  readonly checks: number;
  readonly mutants: number;
  readonly unspecified: readonly Unspecified[];
}

/** The coverage by section, with sections that state nothing. */
export function countSections({ requirements, unspecified }: Coverage): SectionCoverage[] {
  return SECTIONS.map((section) => {
    const own = requirements.filter((one) => one.section === section);
    return {
      section,
      requirements: own,
      empty: own.filter(({ checks }) => checks.length === 0),
      checks: new Set(own.flatMap(({ checks }) => checks)).size,
      mutants: new Set(own.flatMap(({ mutants }) => mutants)).size,
      unspecified: unspecified.filter((one) => one.section === section),
    };
  });
}

/** What the contract states for each operation, derived from it instead of the checks, so that a missing check shows. */
function statedConstraints(contract: Contract): Requirement[] {
  return contract.operations.flatMap((operation) => {
    const { id, section, basis, methods, route, absent } = operation;
    return [
      ...methods.map((method) =>
        asChecked({ section, basis }, checkId(id, 'method', method), `${route.wire} serves ${method}.`),
      ),
      ...statedIn(operation).map(requirementOf),
      ...absent.map(({ name, wire, reason, ...about }) => {
        const statement = `${wire} is no parameter of ${id} (${reason}).`;
        return asChecked(about, checkId(id, name, 'absent'), statement);
      }),
    ];
  });
}

/** A requirement with the id of its check; checks of enforcement or effect are below it. */
function asChecked(
  { section, basis }: Pick<Requirement, 'section' | 'basis'>,
  id: string,
  statement: string,
): Requirement {
  return { id, section, basis, statement, checks: [id] };
}

function requirementOf(stated: Stated): Requirement {
  const { parameter, constraint } = stated;
  const section = constraint.schema['x-section'] ?? parameter.section;
  const statement = `${describeStated(stated)} ${predicateOf(constraint)}.`;
  return asChecked({ section, basis: declaredBasis(stated) }, declaredId(stated), statement);
}

function predicateOf({ kind, schema, required }: Constraint): string {
  switch (kind) {
    case 'declared':
      return 'is a parameter';
    case 'required':
      return required === true ? 'is required' : 'is optional';
    case 'default/absent':
      return 'has no default';
    case 'absent':
      return 'is stated to be absent';
    case 'contexts':
      return `appears in the contexts ${show(schema['x-contexts'])}, where contexts are declared`;
    case 'variants':
      return `has the variants ${show(schema['x-variants'])}, where variants are declared`;
    case 'published':
      return `has ${Object.keys(schema['x-published'] ?? {}).join(', ')} as published`;
    case 'default':
      return `has the default ${show(schema.default)}`;
    case 'uniqueItems':
      return 'has unique items';
    case 'additionalProperties':
      return schema.additionalProperties === false ? 'has no other members' : 'may have other members';
    case 'enum':
      return `is one of ${show(schema.enum)}`;
    default:
      return `has the ${kind} ${show(schema[kind])}`;
  }
}

const ABOUT = { section: 'published', basis: 'published' } as const;

/** The requirements that a site publishes of itself beyond the specification files. */
function publishedRequirements({ operations, namespaces }: Contract): Requirement[] {
  return [
    ...namespaces
      .filter(({ basis }) => basis === 'published')
      .map(({ name, wire }): Requirement => {
        const id = checkId('namespaces', name);
        const checks = ['served', 'root', 'enforced'].map((aspect) => checkId(id, aspect));
        return { ...ABOUT, id, statement: `${wire} is served and enforced.`, checks };
      }),
    ...operations.filter(({ basis }) => basis === 'published').flatMap(ofOperation),
  ];
}

function ofOperation({ id, answer, effect, role, batchable }: Operation): Requirement[] {
  const more = checkId(id, 'method', 'asks-no-more');
  const requirements: Requirement[] = [
    asChecked(ABOUT, more, `${id} asks no more of its callers than it did.`),
    {
      ...ABOUT,
      id: checkId(id, 'behaviour'),
      statement: `${id} ${batchable ? 'is' : 'is not'} for batches, and answers without a server error.`,
      checks: ['batch-mark', 'answers', 'fuzz', 'form', 'own-record'].map((aspect) => checkId(id, aspect)),
    },
  ];
  if (answer !== undefined && effect === 'reads') {
    const statement = `The records of ${id} are as the site publishes them (${answer.name}).`;
    requirements.push(asChecked(ABOUT, checkId('records', id), statement));
  }
  if (role === 'list') {
    const statement = `${id} holds its records on pages, each once.`;
    requirements.push({ ...ABOUT, id: checkId(id, 'lists'), statement, checks: [`${id}/*/filters/**`] });
  }
  return requirements;
}
