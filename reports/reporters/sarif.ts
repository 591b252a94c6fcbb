import { kindNamed } from '../../engine/check.ts';
import { exitCodeOf } from '../../engine/conclusion.ts';
import type { AnswerChange, CheckResult, RunResult, Standing } from '../../engine/result.ts';
import { isUnstableCheck } from '../../engine/result.ts';
import { present, shorten, visibleLine, visibleText } from '../../engine/text.ts';
import { sectionOf } from '../../specs/texts.ts';
import { placeOf, requirementOf, sectionName } from '../about-check.ts';
import { codeBlock, escapeMarkdown } from '../escape-markdown.ts';
import { jsonText } from '../files.ts';
import { findingsOf } from '../views/run/causes.ts';
import { sumUpFixtures } from '../views/run/details.ts';
import { sentenceOf, stepsOf } from '../views/run/steps.ts';
import { CONCLUSIONS, countStandings, describeAnswer, describeCheck, describeWaiver } from './describe.ts';

/** Limits. GitHub accepts 25,000 results and 10 MB (packed) for one run; people read far fewer. */
const MOST = { results: 5000, commands: 5, letters: 1000 } as const;
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/**
 * A run as SARIF 2.1.0, for GitHub code scanning and similar tools: a rule and a result for each finding, the worst
 * first. A failure is an error, a waived one a suppressed error, a warning a warning, and an unstable check a note.
 * Each change in answers since the baseline is a note too. The properties of the run count inconclusive and skipped
 * checks. Locations are lines of `results.json`.
 */
export function sarifOf(result: RunResult): unknown {
  const { tool, target, run, conclusion, reason, counts, partial, baseline, waivers, stage } = result;
  const findings = (['fail', 'waived', 'unstable', 'warn'] as const).flatMap((which) =>
    findingsOf(result, which),
  );
  const errors = findingsOf(result, 'error');
  const shown = findings.slice(0, MOST.results);
  const lines = linesOfChecks(result);
  const { answers = [] } = baseline ?? {};
  const exitCode = exitCodeOf([result]);
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            version: tool.version,
            semanticVersion: tool.version,
            shortDescription: { text: 'Checks a site against its contract.' },
            rules: [...shown.map(ruleOf), ...(answers.length === 0 ? [] : [ANSWERS])],
          },
        },
        automationDetails: { id: `${tool.name}/${visibleLine(target.deployment)}/${visibleLine(run.id)}` },
        invocations: [
          {
            executionSuccessful: exitCode < 2,
            exitCode,
            exitCodeDescription: literal(`${CONCLUSIONS[conclusion]}: ${reason}`),
            ...timesOf(run),
            toolExecutionNotifications: notificationsOf(result, errors),
          },
        ],
        results: [
          ...shown.map((check, ruleIndex) =>
            resultOf(check, ruleIndex, lines.get(check.id), target.operations),
          ),
          ...answers.map((one) => resultOfAnswer(one, shown.length)),
        ],
        properties: {
          conclusion,
          reason: visibleLine(reason),
          counts,
          ...(partial !== undefined && { partial }),
          ...(baseline !== undefined && {
            baseline: {
              run: visibleLine(baseline.run),
              started: visibleLine(baseline.started),
              ...countStandings(baseline),
            },
          }),
          ...(waivers !== undefined && { waivers }),
          ...progressOf(result),
          ...(stage !== undefined && { stage: visibleLine(sumUpFixtures(stage)) }),
          ...(shown.length < findings.length && { resultsLeftOut: findings.length - shown.length }),
          target: visibleLine(target.url),
          deployment: visibleLine(target.deployment),
          vocabulary: visibleLine(target.vocabulary),
          contract: tool.contract,
          runId: run.id,
          mode: run.mode,
          seed: run.seed,
          requests: run.requests,
          retries: run.retries,
        },
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
}

function ruleOf(check: CheckResult): unknown {
  const { id, title, section, basis } = check;
  const requirement = requirementOf(id);
  const about = sectionOf(section);
  const kind = kindNamed(check.kind);
  const help = present([
    `Section ${section} of the specification${about === undefined ? '' : `, “${about.title}”`} (${basis}).`,
    requirement?.statement,
    `The check ${id} asks: ${title}.`,
    kind !== undefined && [kind.asks, kind.decides, kind.fix],
    'Repeat the request of a finding with its curl line; a deviation that you accept needs a waiver.',
  ]);
  return {
    id: visibleLine(id),
    name: visibleLine(shorten(title, MOST.letters)),
    shortDescription: { text: literal(title) },
    fullDescription: { text: literal(requirement?.statement ?? title) },
    help: {
      text: literal(help.join(' ')),
      markdown: help.map((line) => escapeMarkdown(shorten(line, MOST.letters))).join('\n\n'),
    },
    defaultConfiguration: { level: levelOf(check) },
    properties: { section, basis, tags: [...new Set([sectionName(section), basis])] },
  };
}

function progressOf(result: RunResult): Record<string, unknown> {
  const { progress } = result;
  if (progress === undefined) return {};
  const next = stepsOf(result).map((step) => ({
    checkId: visibleLine(shorten(step.check, MOST.letters)),
    text: visibleLine(shorten(sentenceOf(step), MOST.letters)),
  }));
  return { progress: { required: progress.required, passed: progress.passed, next } };
}

function resultOf(
  check: CheckResult,
  ruleIndex: number,
  line: number | undefined,
  operations: RunResult['target']['operations'],
): unknown {
  const { id, title, message = title, waived, standing, unstable, verdict } = check;
  const place = placeOf(check, operations);
  const said = place === undefined ? message : `${place}: ${message}`;
  const described = shorten(describeCheck(check).join('\n'), MOST.letters * 4);
  return {
    ruleId: visibleLine(id),
    ruleIndex,
    level: levelOf(check),
    message: {
      text: literal(said),
      markdown: `${escapeMarkdown(shorten(said, MOST.letters))}\n\n${codeBlock(described)}`,
    },
    locations: [
      {
        ...lineOf(line),
        ...(check.operation !== undefined && { logicalLocations: placesOf(check, operations) }),
      },
    ],
    // The id of a check is its identity in every run.
    partialFingerprints: { 'checkId/v1': visibleLine(id) },
    ...(waived !== undefined && {
      suppressions: [
        {
          kind: 'external',
          status: 'accepted',
          justification: literal(describeWaiver(waived)),
          properties: { owner: visibleLine(waived.owner), expires: visibleLine(waived.expires) },
        },
      ],
    }),
    ...(standing !== undefined && { baselineState: BASELINE_STATE[standing] }),
    properties: {
      verdict,
      ...(standing !== undefined && { standing }),
      ...(isUnstableCheck(check) && { unstable: unstable ?? true }),
      reproduce: (check.reproduce ?? [])
        .slice(0, MOST.commands)
        .map((one) => visibleText(shorten(one, MOST.letters))),
    },
  };
}

function lineOf(startLine: number = 1): object {
  return { physicalLocation: { artifactLocation: { uri: 'results.json' }, region: { startLine } } };
}

const ANSWERS = {
  id: 'answers/changed',
  name: 'answers look as in the baseline',
  shortDescription: { text: 'answers look as in the baseline' },
  fullDescription: { text: 'What clients receive looks as it did in the run that is the baseline.' },
  help: { text: 'No requirement of the contract. A comparison of both runs shows each with its requests.' },
  defaultConfiguration: { level: 'note' },
} as const;

/** A change in answers as a note. It is not a failure of the contract. */
function resultOfAnswer(change: AnswerChange, ruleIndex: number): unknown {
  return {
    ruleId: ANSWERS.id,
    ruleIndex,
    level: 'note',
    message: {
      text: literal(describeAnswer(change)),
      markdown: escapeMarkdown(shorten(describeAnswer(change), MOST.letters)),
    },
    locations: [lineOf()],
    partialFingerprints: { 'changeId/v1': visibleLine(change.id) },
    properties: { class: change.class },
  };
}

function placesOf(check: CheckResult, operations: RunResult['target']['operations']): unknown[] {
  const { operation, parameter } = check;
  if (operation === undefined) return [];
  const placed = (name: string, whole: string, kind: string): unknown => ({
    name: visibleLine(name),
    fullyQualifiedName: visibleLine(whole),
    kind,
  });
  const whole = placeOf({ operation }, operations);
  const within = placeOf(check, operations);
  return present([
    whole !== undefined &&
      within !== undefined && [
        within !== whole && placed(within.slice(whole.length + 1), within, 'parameter'),
        placed(whole, whole, 'resource'),
      ],
    parameter !== undefined && placed(parameter, `${operation}/${parameter}`, 'parameter'),
    placed(operation, operation, 'function'),
  ]);
}

function levelOf({ verdict }: CheckResult): 'error' | 'warning' | 'note' {
  if (verdict === 'fail') return 'error';
  return verdict === 'warn' ? 'warning' : 'note';
}

const BASELINE_STATE: Readonly<Record<Standing, 'new' | 'unchanged' | 'absent' | 'updated'>> = {
  new: 'new',
  // SARIF has no word for it, and treats everything that is not known to be old as new.
  found: 'new',
  still: 'unchanged',
  fixed: 'absent',
  untold: 'updated',
};

function notificationsOf({ conclusion, reason }: RunResult, errors: readonly CheckResult[]): unknown[] {
  return [
    ...(conclusion === 'inconclusive' ? [{ level: 'error', message: { text: literal(reason) } }] : []),
    ...errors.map(({ id, title, message = title }) => ({
      level: 'error',
      message: { text: literal(`${id}: ${message}`) },
      properties: { checkId: visibleLine(id) },
    })),
  ];
}

function timesOf({ started, seconds }: RunResult['run']): { startTimeUtc?: string; endTimeUtc?: string } {
  const start = Date.parse(started);
  if (Number.isNaN(start)) return {};
  return {
    startTimeUtc: new Date(start).toISOString(),
    endTimeUtc: new Date(start + seconds * 1000).toISOString(),
  };
}

/** Escapes text so that SARIF reads no placeholder and no link in it. */
function literal(text: string): string {
  return visibleText(shorten(text, MOST.letters)).replaceAll(/[{}]/g, '$&$&').replaceAll('](', '] (');
}

function linesOfChecks(result: RunResult): ReadonlyMap<string, number> {
  const others = jsonText({ ...result, checks: [] }).split('\n');
  let line = others.findIndex((text) => text.startsWith('  "checks": [')) + 1;
  return new Map(
    result.checks.map((check) => {
      const lines = JSON.stringify(check, null, 2).split('\n');
      const own = line + 1 + lines.findIndex((text) => text.startsWith('  "id": '));
      line += lines.length;
      return [check.id, own];
    }),
  );
}
