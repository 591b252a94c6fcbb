import { MODES } from '../../client/mode.ts';
import type { FuzzCoverage, PairCoverage, Tally, Untried } from '../../engine/fuzz-options.ts';
import type { RunResult } from '../../engine/result.ts';
import { type Maybe, plural, present } from '../../engine/text.ts';
import type { PlannedOperation } from '../../suites/arguments/fuzz/planned-values.ts';
import type { Coverage, CoveredRequirement, SectionCoverage } from '../../suites/coverage/coverage.ts';
import { countSections } from '../../suites/coverage/coverage.ts';
import type { Block, Item, Text, View } from './blocks.ts';
import { code, details, EVERY, list, numbers, section, strong, table, text } from './blocks.ts';

interface TriedInRun {
  readonly run: string;
  readonly deployment: string;
  readonly operations: readonly TriedOperation[];
}

interface CoverageOfFuzzing extends Coverage {
  readonly fuzz: readonly PlannedOperation[];
  readonly tried?: TriedInRun;
}

const MOST = { screen: EVERY, comment: EVERY, page: EVERY } as const;
const PROSE = { most: MOST, prose: true } as const;

/** The coverage of deployments: sections, requirements, checks, mutants, unspecified points, and fuzz checks. */
export function coverageView(coverages: readonly CoverageOfFuzzing[]): View {
  const isAll = coverages.every(isWhole);
  return {
    heading: isAll
      ? 'Coverage: every requirement has a check or a reason'
      : 'Coverage: requirements have neither a check nor a reason, or checks have no requirement',
    tone: isAll ? 'pass' : 'fail',
    title: 'Coverage',
    lead: [
      text(
        [
          'What is stated, the checks that it has, and what is left silent. A requirement is a row of ',
          code('requirements.json'),
          ', or what the contract states for one operation: a method, or one constraint of a parameter. A mutant is one way to break a healthy site (',
          code('serve --mutant ID'),
          '), which a check must notice. What is silent no check asserts: all of them pass on a site that does otherwise in each of these places.',
        ],
        { from: 'comment' },
      ),
    ],
    blocks: coverages.map(deploymentSection),
    foot: 'plan --coverage --json contains everything shown here.',
  };
}

/** Whether each requirement has a check or a reason, and each check a requirement. */
export function isWhole({ requirements, unclaimed }: Coverage): boolean {
  return (
    unclaimed.length === 0 &&
    requirements.every(({ checks, reason }) => checks.length > 0 || reason !== undefined)
  );
}

function deploymentSection(coverage: CoverageOfFuzzing): Maybe<Block> {
  const { deployment, requirements, checks, unspecified, unclaimed, fuzz, tried } = coverage;
  const counts = [
    plural(requirements.length, 'requirement'),
    plural(checks, 'check'),
    plural(unspecified.length, 'unspecified point'),
  ];
  const empty = requirements.filter((requirement) => requirement.checks.length === 0);
  const unbroken = requirements.filter((one) => one.checks.length > 0 && one.mutants.length === 0);
  const sections = countSections(coverage);
  return section(
    { id: `deployment-${deployment}`, way: [deployment], title: `${deployment}: ${counts.join(', ')}` },
    sectionsTable(deployment, sections),
    listed('requirements without a check', empty, ({ section: at, id, statement, reason }) => ({
      text: `§${at}  ${id}  ${statement}`,
      notes: [reason ?? 'NO REASON GIVEN'],
    })),
    listed(
      'requirements with a check that no mutant breaks',
      unbroken,
      (one) => `§${one.section}  ${one.id}`,
    ),
    listed('checks of no requirement', unclaimed, (id) => id),
    sections.map((section) => requirementsSection(deployment, section)),
    fuzz.length > 0 && plannedSection(fuzz),
    tried && triedSection(tried),
  );
}

function listed<T>(title: string, all: readonly T[], itemOf: (one: T) => Item | string): Maybe<Block> {
  const count = all.length === 0 ? 'none' : all.length;
  const about = { title: `${title}: ${count}` };
  return section(about, list(all.map(itemOf), { most: MOST })) ?? section(about);
}

function tableOf(
  label: string,
  [first = '', ...titles]: readonly string[],
  rows: readonly (readonly Text[])[],
): Maybe<Block> {
  return table(label, [first, ...numbers(...titles)], rows, { most: MOST });
}

function sectionsTable(name: string, sections: readonly SectionCoverage[]): Maybe<Block> {
  const titles = ['§', 'requirements', 'without a check', 'checks', 'mutants', 'unspecified', 'needs mode'];
  return tableOf(
    `Sections of ${name}`,
    titles,
    sections.map(({ section: at, requirements, empty, checks, mutants, unspecified }) => [
      [{ text: at, to: `#${name}-${at}` }],
      ...[requirements.length, empty.length, checks, mutants, unspecified.length].map(String),
      requirements.length === 0
        ? 'states nothing'
        : MODES.filter((mode) => requirements.some(({ modes }) => modes.includes(mode))).join(', '),
    ]),
  );
}

function requirementsSection(
  name: string,
  { section: at, requirements, unspecified }: SectionCoverage,
): Maybe<Block> {
  const rows = requirements.filter(({ from }) => from === 'requirements');
  const constraints = requirements.filter(({ from }) => from === 'contract');
  const silent = unspecified.map(({ subject, never, id }) => ({
    text: [strong(subject), `: ${never} `, code(id)],
  }));
  return section(
    { id: `${name}-${at}`, title: `§${at}`, from: 'page' },
    requirements.length === 0 && text('States nothing.'),
    requirementsTable(`§${at}`, rows),
    [...Map.groupBy(constraints, ({ id }) => id.split('/', 1)[0] ?? '')].map(([operation, own]) =>
      details(`${operation}: ${plural(own.length, 'requirement')}`, [requirementsTable(operation, own)]),
    ),
    details(`${plural(silent.length, 'unspecified point')}: no check asserts …`, [
      list(silent, { most: MOST }),
    ]),
  );
}

function requirementsTable(label: string, requirements: readonly CoveredRequirement[]): Maybe<Block> {
  return table(
    `Requirements of ${label}`,
    ['requirement', 'basis', 'mode', 'credentials', 'checks', 'mutants'],
    requirements.map((requirement) => [
      [requirement.statement, ' ', code(requirement.id)],
      requirement.basis,
      requirement.modes.join(', '),
      credentialsOf(requirement),
      requirement.checks.length === 0
        ? [strong(`none: ${requirement.reason ?? 'nobody has said why'}`)]
        : idsOf(requirement.checks),
      idsOf(requirement.mutants),
    ]),
    PROSE,
  );
}

function credentialsOf({ checks, needCredentials }: CoveredRequirement): string {
  if (needCredentials === 0) return '';
  return needCredentials === checks.length ? 'needed' : `needed by ${needCredentials}`;
}

function idsOf(ids: readonly string[]): Text {
  const [id = ''] = ids;
  return ids.length <= 1 ? [code(id)] : [{ text: String(ids.length), more: ids }];
}

function plannedSection(planned: readonly PlannedOperation[]): Maybe<Block> {
  return section(
    { title: 'fuzz checks would try' },
    tableOf(
      'What fuzz checks would try',
      ['operation', 'parameters', 'edges', 'pairs', 'none sure'],
      planned.map(({ operation, parameters, pairs }) => {
        const edges = parameters.flatMap(({ accepted, refused }) => [...accepted, ...refused]).length;
        const unsure = parameters.filter(({ reason }) => reason !== undefined).length;
        return [operation, ...[parameters.length, edges, pairs, unsure].map(String)];
      }),
    ),
    text(
      'Sets of many arguments apart: the edges of each keyword that must be accepted, those that must be refused, and pairs of parameters in sets that must be accepted. Malformed values are tried of every parameter. What a run did try is in results.json.',
      { from: 'page' },
    ),
    planned.map(plannedDetails),
  );
}

function plannedDetails({ operation, parameters, pairs, apart, checks }: PlannedOperation): Maybe<Block> {
  const never = apart.map(({ parameter, reason }) => `${parameter} (${reason})`).join(', ');
  return details(
    `${operation}: ${plural(parameters.length, 'parameter')}, ${plural(pairs, 'pair')}`,
    [
      text([`${plural(checks.length, 'check')}: `, checks.map((id) => [code(id), ' '])]),
      table(
        `Values of ${operation}`,
        ['parameter', 'accepted', 'refused', 'never, and why'],
        parameters.map(({ name, accepted, refused, unsure, reason }) => [
          name,
          accepted.join(', '),
          refused.join(', '),
          reason ?? (unsure.length === 0 ? '' : `${unsure.join(', ')}: no value is sure`),
        ]),
        PROSE,
      ),
      never !== '' && text(`In no pair: ${never}.`),
    ],
    { from: 'page' },
  );
}

function triedSection({ run, operations }: TriedInRun): Maybe<Block> {
  return section(
    { title: `fuzz checks of run ${run} tried keywords of parameters that were` },
    tableOf(
      'What fuzz checks tried',
      ['operation', 'accepted', 'refused', 'never', 'pairs'],
      operations.map(({ operation, parameters, pairs }) => {
        const keywords = parameters.flatMap((parameter) => parameter.keywords);
        return [
          operation,
          ...[
            keywords.filter(({ accepted }) => accepted > 0).length,
            keywords.filter(({ refused }) => refused > 0).length,
            parameters.flatMap(({ untried }) => untried).length,
            Math.max(0, ...pairs.map((one) => one.tried)),
          ].map(String),
        ];
      }),
    ),
    text(
      'How often values of each keyword, or of another kind, were accepted, refused, or answered otherwise, and what was never tried.',
      { from: 'page' },
    ),
    operations.map(triedDetails),
  );
}

function triedDetails({ operation, parameters, pairs, skipped }: TriedOperation): Maybe<Block> {
  const never = parameters.flatMap(({ untried }) => untried).length;
  return details(
    `${operation}: ${plural(parameters.length, 'parameter')}, ${never} never tried`,
    [
      skipped.map(({ check, reason }) => text([code(check), ` tried nothing: ${reason}`])),
      table(
        `Values of ${operation}`,
        ['parameter', 'accepted', 'refused', 'otherwise', 'never, and why'],
        parameters.map(({ name, keywords, untried }) => [
          name,
          ...(['accepted', 'refused', 'other'] as const).map((end) =>
            keywords.flatMap((one) => (one[end] > 0 ? [`${one.keyword} ${one[end]}`] : [])).join(', '),
          ),
          untried.map(({ keyword, reason }) => present([keyword, reason]).join(': ')).join('; '),
        ]),
        PROSE,
      ),
      pairs.map(pairsText),
    ],
    { from: 'page' },
  );
}

function pairsText(pairs: TriedOperation['pairs'][number]): Block {
  const { check, tried, possible, accepted, refused, untried } = pairs;
  const never = untried.map(({ parameters, reason }) => `${parameters.join(' with ')} (${reason})`);
  return text([
    code(check),
    `: ${tried} of ${plural(possible, 'pair')}: ${accepted} accepted, ${refused} refused only. `,
    never.length > 0 && { text: `${plural(never.length, 'pair')} never`, more: never },
  ]);
}

interface TriedOperation {
  readonly operation: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly keywords: readonly (Tally & { readonly keyword: string })[];
    /** What none of the checks tried, with the reason. */
    readonly untried: readonly Omit<Untried, 'parameter'>[];
  }[];
  /** For each check, because it draws pairs of its own. */
  readonly pairs: readonly (PairCoverage & { readonly check: string })[];
  /** Checks that tried nothing, with the reason. */
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
}

/** What the fuzz checks of a run tried for each operation: accepted, refused, other answers, or never tried. */
export function triedIn({ run, target, checks }: Pick<RunResult, 'run' | 'target' | 'checks'>): TriedInRun {
  const own = checks.filter(({ fuzz, operation }) => fuzz === true && operation !== undefined);
  const operations = [...Map.groupBy(own, ({ operation }) => operation ?? '')].map(([operation, members]) => {
    const tried = members.flatMap((check) => check.tried ?? []);
    const names = tried.flatMap(({ parameters, untried }) => [
      ...untried.map(({ parameter }) => parameter),
      ...Object.keys(parameters),
    ]);
    const skipped = members.filter((check) => check.tried === undefined);
    return {
      operation,
      parameters: [...new Set(names)].sort().map((name) => triedParameter(name, tried)),
      pairs: members.flatMap(({ id, tried: one }) => (one ? [{ check: id, ...one.pairs }] : [])),
      skipped: skipped.map(({ id, message = 'no reason given' }) => ({ check: id, reason: message })),
    };
  });
  return { run: run.id, deployment: target.deployment, operations };
}

function triedParameter(name: string, tried: readonly FuzzCoverage[]): TriedOperation['parameters'][number] {
  const all = tried.flatMap(({ parameters }) => Object.entries(parameters[name] ?? {}));
  const tallies = Map.groupBy(all, ([keyword]) => keyword);
  const untried = new Map<string | undefined, string>();
  for (const { parameter, keyword, reason } of tried.flatMap((one) => one.untried)) {
    const elsewhere = keyword === undefined ? tallies.size > 0 : tallies.has(keyword);
    if (parameter === name && !elsewhere) untried.set(keyword, reason);
  }
  return {
    name,
    keywords: [...tallies].map(([keyword, own]) => {
      const sum = (end: keyof Tally): number => own.reduce((total, [, tally]) => total + tally[end], 0);
      return { keyword, accepted: sum('accepted'), refused: sum('refused'), other: sum('other') };
    }),
    untried: [...untried].map(([keyword, reason]) => ({ ...(keyword !== undefined && { keyword }), reason })),
  };
}
