import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult, sampleTried } from '../../engine/result.fixture.ts';
import { testCheck } from '../../engine/session.fixture.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import { coverageView } from '../../reports/views/coverage.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { coverageOf } from '../../suites/coverage/coverage.ts';
import { refusal, tryMain } from '../try-main.fixture.ts';

const CONTRACT = { ...loadContract({ deployment: 'core', vocabulary: 'neutral' }), operations: [] };
const ROW = { section: '3', basis: 'stated', statement: 'A <state> holds.' } as const;
const COVERAGE = coverageOf(CONTRACT, [testCheck('states/a'), testCheck('lone/b')], {
  requirements: [
    { ...ROW, id: 'checked', checks: ['states/*'] },
    { ...ROW, id: 'said', reason: 'it is not seen' },
    { ...ROW, id: 'forgotten' },
  ],
  unspecified: [{ id: 'quiet', section: '6', subject: 'Events & such', never: 'that there are any' }],
});

const FUZZ = {
  operation: 'things.list',
  checks: ['things.list/fuzz/robust'],
  parameters: [
    { name: 'a<b', accepted: [], refused: [], unsure: ['type'], reason: 'nobody knows' },
    { name: 'c', accepted: ['type'], refused: [], unsure: ['pattern'] },
  ],
  pairs: 0,
  apart: [{ parameter: 'a<b', reason: 'no value of it is accepted for sure' }],
};

describe('plan --coverage', () => {
  it('shows each section, and each requirement without a check with its reason', async () => {
    const { code, stdout, lines } = await tryMain('plan', '--coverage', '--deployment', 'core');

    expect(lines).toEqual([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^── core: \d{4} requirements, \d{4} checks, \d+ unspecified points ─/m);
    expect(stdout).toMatch(/^ {2}4\.6 +\d{3,} +0 +\d{3,} /m);
    expect(stdout).toContain('§8  limits.favorites  ');
    expect(stdout).toContain('    core does not serve builder/v1\n');
    expect(stdout).toContain('requirements with a check that no mutant breaks: none');
    expect(stdout).toContain('checks of no requirement: none');
  });

  it('gives all of it as JSON', async () => {
    const { code, stdout } = await tryMain('plan', '--coverage', '--json', '--deployment', 'core');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        deployment: 'core',
        unclaimed: [],
        requirements: expect.arrayContaining([
          expect.objectContaining({ id: 'slugs.unique', modes: ['write'], section: '2' }),
          expect.objectContaining({
            id: 'posts.list/page/minimum',
            from: 'contract',
            section: '4.6',
            mutants: expect.arrayContaining(['posts.list/page/minimum~wider']),
          }),
        ]),
      }),
    ]);
  });

  it('writes a page', async () => {
    const file = join(testFolder(), 'deep', 'coverage.html');
    const { code, stdout, lines } = await tryMain('plan', '--coverage', '--html', file, '--deployment', 'a');
    const page = readFileSync(file, 'utf8');

    expect({ code, stdout, lines }).toEqual({ code: 0, stdout: '', lines: [] });
    expect(page).toMatch(/<h2 id="deployment-a-title">a: \d+ requirements/);
    expect(page).toContain('<h3 id="a-4.10">§4.10</h3>');
    expect(page).toMatch(/<summary>posts\.list: \d+ parameters, \d{3} pairs<\/summary>/);
    expect(page).toContain(
      '<th scope="row">per_page</th><td>type, minimum, maximum</td><td>type, minimum, maximum</td><td></td>',
    );
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
  });

  it('adds what fuzz checks tried in a run, on the page and in the table', async () => {
    const folder = testFolder();
    const [file, page] = [join(folder, 'results.json'), join(folder, 'coverage.html')];
    const check = sampleCheck({
      id: 'posts.list/fuzz/<a>',
      operation: 'posts.list',
      fuzz: true,
      tried: sampleTried(),
    });
    const { target } = sampleResult([]);
    const never = sampleCheck({
      id: 'posts.list/fuzz/robust',
      operation: 'posts.list',
      fuzz: true,
      verdict: 'inconclusive',
      message: 'it says <b>\u001b[2J',
    });
    const result = sampleResult([check, never], { target: { ...target, deployment: 'core' } });
    writeFileSync(file, JSON.stringify(result));
    const args = ['plan', '--coverage', '--results', folder, '--deployment'];
    const text = await tryMain(...args, 'core');
    await tryMain(...args, 'core', '--html', page);

    expect(text.stdout).toMatch(/fuzz checks of run 4f1c2a90 tried .*\n.*\n {2}posts\.list +2 +0 +1 +1\n/);
    expect(readFileSync(page, 'utf8')).toContain(
      '<th scope="row">per_page</th><td>minimum 1</td><td></td><td></td><td>maximum: it was not drawn</td>',
    );
    expect(readFileSync(page, 'utf8')).toContain('tried nothing: it says &lt;b>\\x1b[2J');
    expect(readFileSync(page, 'utf8')).toContain('<code>posts.list/fuzz/&lt;a></code>: 1 of 3 pairs');
    expect(await tryMain(...args, 'a')).toMatchObject(refusal('these are results of the deployment core'));
  });

  it.each([
    [['--results', 'results.json'], '--results adds to --coverage'],
    [['--html', 'coverage.html'], '--html is the page of --coverage'],
    [['--coverage', '--only', 'index'], '--coverage is about all checks'],
  ])('refuses %j', async (args, message) => {
    expect(await tryMain('plan', ...args)).toMatchObject(refusal(message));
  });
});

it('plan --json names the requirements of each check, and the mutants that it must detect', async () => {
  const { stdout } = await tryMain('plan', '--json', '--deployment=core', '--only=*.list/page/minimum');
  const rows: unknown = JSON.parse(stdout);

  expect(rows).toContainEqual(
    expect.objectContaining({
      id: 'posts.list/page/minimum',
      section: '4.6',
      requirements: ['limits.page', 'posts.list/page/minimum'],
      mutants: expect.arrayContaining(['posts.list/page/minimum~narrower', 'posts.list/page/minimum~wider']),
    }),
  );
});

describe('what nobody has given a reason for', () => {
  it('shows in the text, and so does a check of no requirement', () => {
    const text = renderTerminal(coverageView([{ ...COVERAGE, fuzz: [] }]), { width: 120 });

    expect(text).toContain('§3  forgotten  A <state> holds.\n    NO REASON GIVEN');
    expect(text).toContain('§3  said  A <state> holds.\n    it is not seen');
    expect(text).toContain('checks of no requirement: 1\n  lone/b');
  });

  it('shows on the page, escaped', () => {
    const page = renderPage(coverageView([{ ...COVERAGE, fuzz: [FUZZ] }]));

    for (const part of [
      'A &lt;state> holds.',
      'nobody has said why',
      'none: it is not seen',
      'lone/b',
      '<b>Events &amp; such</b>: that there are any',
      '<th scope="row">a&lt;b</th><td></td><td></td><td>nobody knows</td>',
      '<th scope="row">c</th><td>type</td><td></td><td>pattern: no value is sure</td>',
      'In no pair: a&lt;b (no value of it is accepted for sure).',
    ]) {
      expect(page).toContain(part);
    }
  });
});
