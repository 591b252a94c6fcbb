import { parse } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { type CheckResult, type Conclusion, type Counts, isUnstableCheck } from '../../engine/result.ts';
import { stepsOf } from '../views/run/steps.ts';
import { allureResults } from './allure.ts';
import { CONCLUSIONS } from './describe.ts';
import { REPORTERS } from './registry.ts';
import { everyOutcome, HIDDEN, hostileRun } from './sample-run.fixture.ts';

interface Reported {
  conclusion: Conclusion;
  counts?: Partial<Counts>;
  failing?: string[];
  waived?: string[];
  unstable?: string[];
  fresh?: string[];
  /** How much of what is required passes, what to do next, and missing fixtures. */
  required?: [passed: number, required: number] | undefined;
  next?: string | undefined;
  unmade?: number | undefined;
}

function reportedBy(result: RunResult): Required<Reported> {
  const idsOf = (belongs: (check: CheckResult) => boolean): string[] =>
    result.checks
      .filter(belongs)
      .map(({ id }) => id)
      .toSorted();
  return {
    conclusion: result.conclusion,
    counts: result.counts,
    failing: idsOf(({ verdict, waived }) => verdict === 'fail' && waived === undefined),
    waived: idsOf(({ waived }) => waived !== undefined),
    unstable: idsOf(isUnstableCheck),
    fresh: idsOf(({ standing }) => standing === 'new'),
    required: result.progress && [result.progress.passed, result.progress.required],
    next: NEXT.exec(stepsOf(result)[0]?.what ?? '')?.[0],
    unmade: result.stage?.missing.length,
  };
}

const NEXT: RegExp = /serve [A-Z]+ [^;,<\s]+/;

function wayIn(text: string): Pick<Reported, 'required' | 'next' | 'unmade'> {
  const plain = text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');
  const [, passed, required] = /([\d,]+) of ([\d,]+) required checks pass/.exec(plain) ?? [];
  const [, unmade] = /(\d+) not made/.exec(plain) ?? [];
  const numberIn = (digits: string): number => Number(digits.replaceAll(',', ''));
  return {
    required:
      passed === undefined || required === undefined ? undefined : [numberIn(passed), numberIn(required)],
    next: NEXT.exec(plain)?.[0],
    unmade: unmade === undefined ? undefined : Number(unmade),
  };
}

function conclusionIn(text: string): Conclusion {
  const found = Object.entries(CONCLUSIONS).filter(([, words]) =>
    new RegExp(`(?<!NOT )\\b${words}\\b`).test(text),
  );
  const name = found[0]?.[0];
  if (found.length !== 1 || (name !== 'conformant' && name !== 'nonconformant' && name !== 'inconclusive')) {
    return expect.fail(`no one conclusion: ${text.slice(0, 200)}`);
  }
  return name;
}

function namedIn(text: string, result: RunResult): string[] {
  return result.checks.map(({ id }) => id).filter((id) => text.includes(id));
}

const READ: Record<string, (report: string, result: RunResult) => Reported | Promise<Reported>> = {
  json: (report) => reportedBy(JSON.parse(report)),
  async junit(report) {
    const parsed = await parse(report);
    if (parsed === undefined || parsed === null || !('testsuite' in parsed)) return expect.fail('no suites');
    const suites = (parsed.testsuite ?? []).filter(({ name }) => name !== 'run');
    const cases = suites.flatMap(({ testcase }) => testcase ?? []);
    const skipped = (start: string): string[] =>
      cases
        .filter((one) => one.skipped?.some(({ message = '' }) => message.startsWith(start)))
        .map(({ name = '' }) => name.split(': ', 1)[0] ?? '')
        .toSorted();
    const failing = cases.filter(({ failure }) => failure !== undefined);
    const property = (name: string): string =>
      suites[0]?.properties?.find((one) => one.name === name)?.value ?? '';
    const conclusion = property('conclusion');
    const idOf = ({ name = '' }: { name?: string }): string => name.split(': ', 1)[0] ?? '';
    return {
      conclusion: conclusion === 'conformant' || conclusion === 'nonconformant' ? conclusion : 'inconclusive',
      counts: {
        pass: cases.filter((one) => !one.failure && !one.error && !one.skipped).length,
        fail: failing.length,
        error: cases.filter(({ error }) => error !== undefined).length,
        warn: skipped('warn').length,
        inconclusive: skipped('inconclusive').length,
        skip: skipped('skip').length,
        waived: skipped('waived').length,
      },
      failing: failing.map(idOf).toSorted(),
      waived: skipped('waived'),
      fresh: failing.filter(({ failure }) => failure?.[0]?.inner?.includes('baseline: new')).map(idOf),
      ...wayIn(
        `${property('required.passed')} of ${property('required.checks')} required checks pass; ${property('next')}; ${property('stage')}`,
      ),
    };
  },
  sarif(report) {
    const [run] = JSON.parse(report).runs;
    interface Row {
      ruleId: string;
      suppressions?: unknown;
      baselineState?: string;
      level: string;
      properties: { verdict: string; unstable?: unknown };
    }
    const rows: Row[] = run.results;
    const idsOf = (belongs: (row: Row) => boolean): string[] =>
      rows
        .filter(belongs)
        .map(({ ruleId }) => ruleId)
        .toSorted();
    return {
      conclusion: run.properties.conclusion,
      counts: run.properties.counts,
      failing: idsOf(({ level, suppressions }) => level === 'error' && suppressions === undefined),
      waived: idsOf(({ suppressions }) => suppressions !== undefined),
      unstable: idsOf(({ properties }) => properties.unstable !== undefined),
      fresh: idsOf(({ baselineState }) => baselineState === 'new'),
      ...wayIn(String(run.properties.stage)),
      required: run.properties.progress && [run.properties.progress.passed, run.properties.progress.required],
      next: NEXT.exec(run.properties.progress?.next[0].text ?? '')?.[0],
    };
  },
  markdown(report, result) {
    const section = (title: string): string[] => {
      const [, text = ''] = report.replaceAll('\\', '').split(new RegExp(`\n## \\d+ ${title}`));
      return namedIn(text.split('\n## ', 1)[0] ?? '', result).toSorted();
    };
    const numberOf = (words: string): number => Number(new RegExp(`(\\d+) ${words}`).exec(report)?.[1] ?? 0);
    return {
      conclusion: conclusionIn(report),
      counts: {
        fail: numberOf('failed '),
        warn: numberOf('warning '),
        inconclusive: numberOf('inconclusive '),
        skip: numberOf('skipped '),
        pass: numberOf('passed '),
      },
      failing: [...section('failures?(?= from|\\n| that)'), ...section('new failures?')].toSorted(),
      waived: section('failures? waived'),
      unstable: section('unstable checks?'),
      fresh: section('new failures?'),
      ...wayIn(report),
      unmade: result.stage && [...report.matchAll(/^- not made: /gm)].length,
    };
  },
  asciidoc: (report, result) => ({
    ...wayIn(report.replaceAll('&#95;', '_')),
    conclusion: conclusionIn(report.split('\n', 1)[0] ?? ''),
    unmade: result.stage && [...report.matchAll(/^\* \{empty\}not made&#58; /gm)].length,
  }),
  github(report, result) {
    const lines = report.split('\n');
    const named = (start: string): string[] =>
      lines
        .filter((line) => line.startsWith(start))
        .flatMap((line) =>
          result.checks
            .map(({ id }) => id)
            .filter((id) => line.split('::')[1]?.endsWith(id) || line.includes(` (${id})::`)),
        )
        .toSorted();
    const errors = result.checks.filter(({ verdict }) => verdict === 'error').map(({ id }) => id);
    const { required, next } = wayIn(report.replaceAll('%0A', ' '));
    return {
      conclusion: conclusionIn(report),
      failing: named('::error').filter((id) => !errors.includes(id)),
      waived: named('::notice'),
      fresh: named('::error title=NEW '),
      required,
      next,
    };
  },
  badge(report) {
    const { message } = JSON.parse(report);
    const [first] = String(message).split(/[, ]/);
    if (first === 'conformant' || first === 'inconclusive') return { conclusion: first };
    return { conclusion: 'nonconformant', counts: { fail: Number(first) } };
  },
  allure(report, result) {
    const tests: ReturnType<typeof allureResults> = JSON.parse(report);
    const [conclusion, ...rest] = tests;
    const tagged = (tag: string): string[] =>
      rest
        .filter(({ labels }) => labels.some((one) => one.name === 'tag' && one.value === tag))
        .map(({ historyId = '' }) => historyId)
        .toSorted();
    const status = (wanted: string | undefined): string[] =>
      rest
        .filter((one) => one.status === wanted)
        .map(({ historyId = '' }) => historyId)
        .toSorted();
    const words = { passed: 'conformant', failed: 'nonconformant', broken: 'inconclusive' } as const;
    return {
      conclusion:
        conclusion?.status === undefined || conclusion.status === 'skipped'
          ? expect.fail('none')
          : words[conclusion.status],
      counts: {
        pass: status('passed').length,
        fail: status('failed').length,
        error: status('broken').length,
        inconclusive: status(undefined).length,
        warn: tagged('warn').length,
        skip: tagged('skip').length,
        ...(result.counts.waived !== undefined && { waived: tagged('waived').length }),
      },
      failing: status('failed'),
      waived: tagged('waived'),
      unstable: tagged('unstable'),
      fresh: tagged('new'),
      ...wayIn(conclusion?.description ?? ''),
    };
  },
  terminal: (report, result) => ({
    ...wayIn(report),
    unmade: result.stage && [...report.matchAll(/^ *not made: /gm)].length,
    conclusion: conclusionIn(report),
  }),
  har: (_report, result) => ({ conclusion: result.conclusion }),
  html(report) {
    const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(report) ?? [];
    const rows = (state: string): string[] =>
      [...report.matchAll(new RegExp(`<li class="${state}" (?:data-)?id="/([^"]*)"`, 'g'))]
        .map(([, id = '']) => id)
        .toSorted();
    const [, head = ''] = /<header(.*?)<\/header>/s.exec(report) ?? [];
    const numbers = [...head.matchAll(/<span class="key (\w+)">. ([\d,]+) /g)];
    const cards = [...report.matchAll(/<article id="\/([^"]*)" class="card fail">(.*?)<\/article>/gs)];
    const { required, next } = wayIn(report.replaceAll(/<[^>]*>/g, ' '));
    const [, unmade] = /Not made <b>(\d+)</.exec(report) ?? [];
    return {
      required,
      next,
      unmade: unmade === undefined ? undefined : Number(unmade),
      conclusion: conclusionIn(heading),
      counts: Object.fromEntries(
        numbers.map(([, state = '', number = '']) => [state, Number(number.replaceAll(',', ''))]),
      ),
      failing: rows('fail'),
      waived: rows('waived'),
      unstable: rows('unstable'),
      fresh: cards.flatMap(([, id = '', card = '']) => (card.includes('class="badge new"') ? [id] : [])),
    };
  },
};

async function reportOf(name: string, result: RunResult): Promise<string> {
  if (name === 'allure') return JSON.stringify(allureResults(result));
  const reporter = REPORTERS[name];
  if (reporter === undefined || !('render' in reporter)) return expect.fail(`${name} renders nothing`);
  const rendered = await reporter.render(result, { folder: '/nowhere' });
  return typeof rendered === 'string'
    ? rendered
    : Buffer.concat([...rendered].map((part) => Buffer.from(String(part)))).toString();
}

const RUNS: [string, RunResult][] = [
  ['a run in which every outcome occurs', everyOutcome()],
  ['a run that passes', sampleResult([sampleCheck({}), sampleCheck({ id: 'index/name/type' })])],
  ['a run of nothing', sampleResult([sampleCheck({ verdict: 'skip', skip: { kind: 'credentials' } })])],
];

describe.each(RUNS)('of %s', (_what, result) => {
  it.each(Object.keys(REPORTERS))('%s says what results.json says', async (name) => {
    const read = READ[name] ?? expect.fail(`a row for ${name} is missing here`);
    const reported = await read(await reportOf(name, result), result);
    const expected = reportedBy(result);

    expect(reported.conclusion).toBe(expected.conclusion);
    expect({ waived: 0, ...expected.counts }).toMatchObject(reported.counts ?? {});
    const { conclusion: _conclusion, counts: _counts, ...lists } = reported;
    expect(lists).toEqual(
      Object.fromEntries(Object.keys(lists).map((list) => [list, Reflect.get(expected, list)])),
    );
  });
});

it('AsciiDoc shows text of a target without effect', async () => {
  const report = await reportOf('asciidoc', hostileRun());
  const prose = report.replaceAll(/^(-{4,})\n.*?\n\1$/gms, '');

  expect(prose).toContain('link&#93;(javascript&#58;alert(1))');
  expect(prose).not.toMatch(/link:|image:|include:|javascript:|:\/\/|<script|@everyone|\{0\}/);
  expect(report).not.toMatch(HIDDEN);
});
