import { MODES } from '../../client/mode.ts';
import { plural } from '../../engine/text.ts';
import type { PlannedOperation } from '../../suites/arguments/fuzz/planned-values.ts';
import {
  type Coverage,
  type CoveredRequirement,
  countSections,
  type SectionCoverage,
} from '../../suites/coverage/coverage.ts';
import type { TriedOperation } from '../tried-values.ts';
import {
  type Block,
  type Item,
  type Row,
  type Section,
  type Stretch,
  sectionOf,
  type Table,
  type Text,
  type View,
} from './blocks.ts';

/** A run, and what its fuzz checks tried. */
export interface TriedInRun {
  readonly run: string;
  readonly deployment: string;
  readonly operations: readonly TriedOperation[];
}

/** The coverage of a deployment, and what its fuzz checks would try. */
interface FuzzCoverage extends Coverage {
  readonly fuzz: readonly PlannedOperation[];
  /** What the fuzz checks of a run did try. */
  readonly tried?: TriedInRun;
}

const EVERY = Number.MAX_SAFE_INTEGER;
const MOST = { screen: EVERY, comment: EVERY, page: EVERY } as const;

/** What the checks of deployments cover: sections, requirements, checks, mutants, what is unspecified, and what fuzz checks try. */
export function coverageView(coverages: readonly FuzzCoverage[]): View {
  const isAll = coverages.every(isWhole);
  return {
    heading: isAll
      ? 'Coverage: every requirement has a check or a reason'
      : 'Coverage: requirements have neither a check nor a reason, or checks have no requirement',
    tone: isAll ? 'pass' : 'fail',
    title: 'Coverage',
    lead: [
      {
        kind: 'text',
        from: 'comment',
        text: [
          'What is stated, the checks that it has, and what is left silent. A requirement is a row of ',
          { text: 'requirements.json', as: 'code' },
          ', or what the contract states for one operation: a method, or one constraint of a parameter. A mutant is one way to break a healthy site (',
          { text: 'serve --mutant ID', as: 'code' },
          '), which a check must notice. What is silent no check asserts: all of them pass on a site that does otherwise in each of these places.',
        ],
      },
    ],
    summary: [],
    blocks: coverages.map(deploymentSection),
    foot: 'plan --coverage --json has everything that stands here.',
  };
}

/** Whether each requirement has a check or a reason, and each check a requirement. */
export function isWhole({ requirements, unclaimed }: Coverage): boolean {
  return (
    unclaimed.length === 0 &&
    requirements.every(({ checks, reason }) => checks.length > 0 || reason !== undefined)
  );
}

function deploymentSection(coverage: FuzzCoverage): Section {
  const { deployment, requirements, checks, unspecified, unclaimed, fuzz, tried } = coverage;
  const empty = requirements.filter((one) => one.checks.length === 0);
  const unbroken = requirements.filter((one) => one.checks.length > 0 && one.mutants.length === 0);
  const sections = countSections(coverage);
  return {
    kind: 'section',
    id: `deployment-${deployment}`,
    way: [deployment],
    title: `${deployment}: ${plural(requirements.length, 'requirement')}, ${plural(checks, 'check')}, ${plural(unspecified.length, 'unspecified point')}`,
    blocks: [
      sectionsTable(deployment, sections),
      listed(
        'requirements without a check',
        empty.map(({ section, id, statement, reason }) => ({
          text: `§${section}  ${id}  ${statement}`,
          notes: [reason ?? 'NO REASON GIVEN'],
        })),
      ),
      listed(
        'requirements with a check that no mutant breaks',
        unbroken.map(({ section, id }) => ({ text: `§${section}  ${id}` })),
      ),
      listed(
        'checks of no requirement',
        unclaimed.map((text) => ({ text })),
      ),
      ...sections.map((one) => requirementsSection(deployment, one)),
      ...plannedSection(fuzz),
      ...(tried === undefined ? [] : [triedSection(tried)]),
    ],
  };
}

function listed(title: string, items: readonly { text: string; notes?: readonly string[] }[]): Section {
  return {
    kind: 'section',
    title: `${title}: ${items.length === 0 ? 'none' : items.length}`,
    blocks: items.length === 0 ? [] : [{ kind: 'list', items, most: MOST }],
  };
}

/** A table of numbers beside names. */
function tableOf(label: string, titles: readonly string[], rows: readonly (readonly Text[])[]): Table {
  return {
    kind: 'table',
    label,
    most: MOST,
    columns: titles.map((title, at) => (at === 0 ? { title } : { title, align: 'right' })),
    rows: rows.map((cells) => ({ cells })),
  };
}

function sectionsTable(name: string, sections: readonly SectionCoverage[]): Table {
  const titles = ['§', 'requirements', 'without a check', 'checks', 'mutants', 'unspecified', 'needs mode'];
  return tableOf(
    `Sections of ${name}`,
    titles,
    sections.map(({ section, requirements, empty, checks, mutants, unspecified }) => [
      [{ text: section, to: `#${name}-${section}` }],
      ...[requirements.length, empty.length, checks, mutants, unspecified.length].map(String),
      requirements.length === 0 ? 'states nothing' : modesOf(requirements),
    ]),
  );
}

function modesOf(requirements: readonly CoveredRequirement[]): string {
  return MODES.filter((mode) => requirements.some(({ modes }) => modes.includes(mode))).join(', ');
}

/** Each requirement of a section with its checks and mutants, and what the section leaves open: where there is room. */
function requirementsSection(name: string, { section, requirements, unspecified }: SectionCoverage): Section {
  const rows = requirements.filter(({ from }) => from === 'requirements');
  const constraints = requirements.filter(({ from }) => from === 'contract');
  return {
    kind: 'section',
    id: `${name}-${section}`,
    title: `§${section}`,
    from: 'page',
    blocks: [
      ...(requirements.length === 0 ? [{ kind: 'text', text: 'States nothing.' } as const] : []),
      ...(rows.length === 0 ? [] : [requirementsTable(`§${section}`, rows)]),
      ...[...Map.groupBy(constraints, ({ id }) => id.split('/', 1)[0] ?? '')].map(
        ([operation, own]) =>
          ({
            kind: 'details',
            summary: `${operation}: ${plural(own.length, 'requirement')}`,
            blocks: [requirementsTable(operation, own)],
          }) as const,
      ),
      ...unspecifiedDetails(unspecified),
    ],
  };
}

function unspecifiedDetails(unspecified: SectionCoverage['unspecified']): Block[] {
  if (unspecified.length === 0) return [];
  const items = unspecified.map(
    ({ subject, never, id }): Item => ({
      text: [{ text: subject, as: 'strong' }, `: ${never} `, { text: id, as: 'code' }],
    }),
  );
  const summary = `${plural(items.length, 'unspecified point')}: no check asserts …`;
  return [{ kind: 'details', summary, blocks: [{ kind: 'list', items, most: MOST }] }];
}

function requirementsTable(label: string, requirements: readonly CoveredRequirement[]): Table {
  return {
    kind: 'table',
    label: `Requirements of ${label}`,
    most: MOST,
    prose: true,
    columns: ['requirement', 'basis', 'mode', 'credentials', 'checks', 'mutants'].map((title) => ({ title })),
    rows: requirements.map((one) => ({
      cells: [
        [one.statement, ' ', { text: one.id, as: 'code' }],
        one.basis,
        one.modes.join(', '),
        credentialsOf(one),
        one.checks.length === 0
          ? [{ text: `none: ${one.reason ?? 'nobody has said why'}`, as: 'strong' }]
          : idsOf(one.checks),
        idsOf(one.mutants),
      ],
    })),
  };
}

function credentialsOf({ checks, needCredentials }: CoveredRequirement): string {
  if (needCredentials === 0) return '';
  return needCredentials === checks.length ? 'needed' : `needed by ${needCredentials}`;
}

function idsOf(ids: readonly string[]): Stretch[] {
  const [id = ''] = ids;
  return ids.length <= 1 ? [{ text: id, as: 'code' }] : [{ text: String(ids.length), more: ids }];
}

/** What the fuzz checks would try. */
function plannedSection(planned: readonly PlannedOperation[]): Section[] {
  return sectionOf(
    {
      title: 'fuzz checks would try',
      blocks: [
        tableOf(
          'What fuzz checks would try',
          ['operation', 'parameters', 'edges', 'pairs', 'none sure'],
          planned.map(({ operation, parameters, pairs }) => [
            operation,
            ...[
              parameters.length,
              parameters.flatMap(({ accepted, refused }) => [...accepted, ...refused]).length,
              pairs,
              parameters.filter(({ reason }) => reason !== undefined).length,
            ].map(String),
          ]),
        ),
        {
          kind: 'text',
          from: 'page',
          text: 'Sets of many arguments apart: the edges of each keyword that must be accepted, those that must be refused, and pairs of parameters in sets that must be accepted. Malformed values are tried of every parameter. What a run did try is in results.json.',
        },
        ...planned.map(plannedDetails),
      ],
    },
    planned.length > 0,
  );
}

function plannedDetails({ operation, parameters, pairs, apart, checks }: PlannedOperation): Block {
  const never = apart.map(({ parameter, reason }) => `${parameter} (${reason})`).join(', ');
  return {
    kind: 'details',
    from: 'page',
    summary: `${operation}: ${plural(parameters.length, 'parameter')}, ${plural(pairs, 'pair')}`,
    blocks: [
      { kind: 'text', text: [`${plural(checks.length, 'check')}: `, ...codes(checks)] },
      valuesTable(
        operation,
        ['parameter', 'accepted', 'refused', 'never, and why'],
        parameters.map(({ name, accepted, refused, unsure, reason }) => ({
          cells: [
            name,
            accepted.join(', '),
            refused.join(', '),
            reason ?? (unsure.length === 0 ? '' : `${unsure.join(', ')}: no value is sure`),
          ],
        })),
      ),
      ...(never === '' ? [] : [{ kind: 'text', text: `In no pair: ${never}.` } as const]),
    ],
  };
}

function codes(texts: readonly string[]): (string | Stretch)[] {
  return texts.flatMap((text) => [{ text, as: 'code' as const }, ' ']);
}

function valuesTable(operation: string, titles: readonly string[], rows: readonly Row[]): Table {
  const columns = titles.map((title) => ({ title }));
  return { kind: 'table', label: `Values of ${operation}`, most: MOST, prose: true, columns, rows };
}

/** What the fuzz checks of a run did try. */
function triedSection({ run, operations }: TriedInRun): Section {
  return {
    kind: 'section',
    title: `fuzz checks of run ${run} tried keywords of parameters that were`,
    blocks: [
      tableOf(
        'What fuzz checks tried',
        ['operation', 'accepted', 'refused', 'never', 'pairs'],
        operations.map(({ operation, parameters, pairs }) => {
          const keywords = parameters.flatMap((one) => one.keywords);
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
      {
        kind: 'text',
        from: 'page',
        text: 'How often values of each keyword, or of another kind, were accepted, refused, or answered otherwise, and what was never tried.',
      },
      ...operations.map(triedDetails),
    ],
  };
}

function triedDetails({ operation, parameters, pairs, skipped }: TriedOperation): Block {
  const never = parameters.flatMap(({ untried }) => untried).length;
  return {
    kind: 'details',
    from: 'page',
    summary: `${operation}: ${plural(parameters.length, 'parameter')}, ${never} never tried`,
    blocks: [
      ...skipped.map(
        ({ check, reason }) =>
          ({ kind: 'text', text: [{ text: check, as: 'code' }, ` tried nothing: ${reason}`] }) as const,
      ),
      valuesTable(
        operation,
        ['parameter', 'accepted', 'refused', 'otherwise', 'never, and why'],
        parameters.map(({ name, keywords, untried }) => ({
          cells: [
            name,
            ...(['accepted', 'refused', 'other'] as const).map((end) =>
              keywords
                .filter((one) => one[end] > 0)
                .map((one) => `${one.keyword} ${one[end]}`)
                .join(', '),
            ),
            untried
              .map(({ keyword, reason }) => `${keyword === undefined ? '' : `${keyword}: `}${reason}`)
              .join('; '),
          ],
        })),
      ),
      ...pairs.map(pairsText),
    ],
  };
}

function pairsText({
  check,
  tried,
  possible,
  accepted,
  refused,
  untried,
}: TriedOperation['pairs'][number]): Block {
  const never = untried.map(({ parameters, reason }) => `${parameters.join(' with ')} (${reason})`);
  return {
    kind: 'text',
    text: [
      { text: check, as: 'code' },
      `: ${tried} of ${plural(possible, 'pair')}: ${accepted} accepted, ${refused} refused only. `,
      ...(never.length === 0 ? [] : [{ text: `${plural(never.length, 'pair')} never`, more: never }]),
    ],
  };
}
