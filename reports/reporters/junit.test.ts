import { describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { sampleCheck, sampleCounterexample, sampleResult } from '../../engine/result.fixture.ts';
import {
  type BaselineReport,
  type CheckResult,
  type RunResult,
  VERDICTS,
  type Verdict,
} from '../../engine/result.ts';
import { renderJunit } from './junit.ts';
import { everyOutcome } from './sample-run.fixture.ts';

interface Read {
  name: string;
  attributes: Record<string, string>;
  children: Read[];
  text: string;
}

type XmlNode = ReturnType<typeof create>['node'];
type XmlElement = NonNullable<XmlNode['parentElement']>;

function parse(result: RunResult): Read {
  const [root] = [...create(renderJunit(result)).doc().node.childNodes].filter(isElement);
  return root === undefined ? expect.fail('no element') : read(root);
}

function isElement(node: XmlNode): node is XmlElement {
  return node.nodeType === 1;
}

function read(element: XmlElement): Read {
  return {
    name: element.nodeName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    children: [...element.childNodes].filter(isElement).map(read),
    text: element.textContent ?? '',
  };
}

function outcomeOf(check: CheckResult): Read | undefined {
  return parse(sampleResult([check])).children[0]?.children[1]?.children[0];
}

describe('renderJunit', () => {
  it('shows a waived failure as skipped, with the reason of who accepted it', () => {
    const waived = { waiver: '**', reason: 'a plugin', owner: 'the shop', expires: '2027-01-31' };
    const failed = sampleCheck({ verdict: 'fail', message: 'wider', waived });
    const { attributes, children } = parse(sampleResult([failed, sampleCheck({ id: 'a/b/c' })]));
    const message = 'waived: a plugin (the shop, until 2027-01-31)';

    expect(attributes).toMatchObject({ failures: '0' });
    expect(children[0]?.attributes).toMatchObject({ failures: '0', skipped: '1' });
    expect(outcomeOf(failed)).toMatchObject({ name: 'skipped', attributes: { message } });
    expect(outcomeOf(failed)?.text).toContain('message: wider');
    expect(outcomeOf(failed)?.text).toContain('waived: waived by ** (the shop, until 2027-01-31): a plugin');
    expect(children.map(({ attributes: { name } }) => name)).not.toContain('run');
  });

  it('has a case for each selected check, and none for the others', () => {
    const out = sampleCheck({ id: 'c/d', verdict: 'skip', skip: { kind: 'selection', option: '--only' } });
    const needy = sampleCheck({ id: 'e/f', verdict: 'skip', skip: { kind: 'mode', needs: 'full' } });
    const { attributes, children } = parse(sampleResult([sampleCheck({ id: 'a/b' }), out, needy]));

    expect(attributes).toMatchObject({ tests: '2' });
    expect(children).toHaveLength(2);
  });

  it('says before all that little was evaluated, in a case that is not passed', () => {
    const denied = sampleCheck({ id: 'c/d', verdict: 'inconclusive', message: 'denied' });
    const { children } = parse(sampleResult([sampleCheck({ id: 'a/b' }), denied]));
    const about = children.find(({ attributes: { name } }) => name === 'run');

    expect(about?.attributes).toMatchObject({ tests: '1', failures: '0', skipped: '1' });
    expect(JSON.stringify(about)).toContain('50.0 % EVALUATED, CONFORMANT SO FAR: only 1 of 2 checks');
  });

  it('fails where strict mode does, even if no check failed', () => {
    const waivers = { waived: 0, expired: [], unmatched: ['a'], passing: [], refused: 1 };
    const strict = { conclusion: 'nonconformant', reason: '1 waiver no longer needed', waivers } as const;
    const { attributes, children } = parse(sampleResult([sampleCheck({})], strict));
    const run = children.find(({ attributes: { name } }) => name === 'run');

    expect(attributes.failures).toBe('1');
    expect(run?.children.at(-1)?.children[0]?.attributes.message).toBe(strict.reason);
  });

  it('has an error if the run may have left records behind', () => {
    const clean = { tag: 'sc-1', created: 1, removed: 1, left: [], doubts: [], census: [] };
    const caseOf = (writing: RunResult['writing']): Read | undefined => {
      const result = sampleResult([sampleCheck({ id: 'index/name/type' })]);
      const suites = parse(writing === undefined ? result : { ...result, writing }).children;
      const run = suites.find(({ attributes }) => attributes.name === 'run');
      return run?.children.find(({ attributes }) => attributes.name?.startsWith('run/clean-up'));
    };
    const left = [{ collection: 'posts', id: 7, why: 'the deletion is denied' }];

    expect(caseOf(undefined)).toBeUndefined();
    expect(caseOf(clean)).toBeUndefined();
    const [error] = caseOf({ ...clean, left })?.children ?? [];
    expect(error).toMatchObject({
      name: 'error',
      attributes: { message: 'NOT ALL REMOVED', type: 'clean-up' },
    });
    expect(error?.text).toContain('posts 7 is still there: the deletion is denied');
    const doubts = ['could not be verified: the list fails'];
    expect(caseOf({ ...clean, doubts })?.children[0]?.attributes.message).toBe('REMOVAL NOT VERIFIED');
  });

  const checks = [
    ...VERDICTS.map((verdict) =>
      sampleCheck({ id: `posts.list/${verdict}`, verdict, message: 'm', seconds: 0.25 }),
    ),
    sampleCheck({ id: 'index/name/type' }),
  ];

  it('has a suite for each area, with counts that agree with its cases', () => {
    const root = parse(sampleResult(checks));

    expect(root.attributes).toMatchObject({
      tests: '7',
      failures: '1',
      errors: '1',
      time: '83.400',
    });
    expect(root.children.map(({ attributes }) => attributes)).toEqual([
      {
        name: 'posts',
        tests: '6',
        failures: '1',
        errors: '1',
        skipped: '3',
        time: '1.500',
        timestamp: '2025-03-04T05:06:07.000Z',
      },
      expect.objectContaining({ name: 'index', tests: '1', failures: '0', errors: '0', skipped: '0' }),
    ]);
  });

  it('shows a pass as a plain case', () => {
    const cases = parse(sampleResult(checks)).children[0]?.children.filter(({ name }) => name === 'testcase');

    expect(cases?.map(({ children }) => children[0]?.name ?? 'plain')).toEqual([
      'failure',
      'error',
      'skipped',
      'skipped',
      'skipped',
      'plain',
    ]);
    expect(cases?.[0]?.attributes).toEqual({
      classname: 'posts',
      name: 'posts.list/fail: refuses per_page above 100',
      time: '0.250',
    });
    expect(cases?.[2]?.children[0]?.attributes).toEqual({ message: 'warn: m' });
  });

  it('says in every suite what was checked', () => {
    const [properties] = parse(sampleResult(checks)).children[1]?.children ?? [];
    const values = properties?.children.map(({ attributes }) => [attributes.name, attributes.value]);

    expect(Object.fromEntries(values ?? [])).toMatchObject({
      target: 'https://staging.example.test/',
      deployment: 'a',
      run: '4f1c2a90',
      mode: 'write',
    });
  });

  it('keeps hostile text well-formed and unchanged in every place', () => {
    const hostile = ']]><!--&<x a="\'"/>\u0000\u001b[31m\r\n\ud800\uffff\u202e😀';
    const target = { url: hostile, deployment: hostile, vocabulary: hostile, index: hostile };
    const check = sampleCheck({
      id: `${hostile}/x`,
      title: hostile,
      verdict: 'fail',
      message: hostile,
      observed: hostile,
    });

    const [suite] = parse(sampleResult([check], { target, reason: hostile })).children;

    const visible = ']]><!--&<x a="\'"/>\\x00\\x1b[31m\\r\\n\\ud800\\uffff\\u202e😀';
    const failure = suite?.children[1]?.children[0];
    expect(suite?.children[0]?.children[0]?.attributes.value).toBe(visible);
    expect(suite?.children[1]?.attributes.name).toBe(`${visible}/x: ${visible}`);
    expect(failure?.attributes.message).toBe(visible);
    expect(failure?.text).toContain(`observed: ${visible.replace('\\n', '\n')}`);
  });

  it.each([
    ['nothing ran', [sampleCheck({ verdict: 'skip' })], {}],
    ['there are no checks', [], {}],
    ['the run ended early', [sampleCheck({})], { conclusion: 'inconclusive', reason: 'no check ran' }],
  ] as const)('is not green when %s', (_case, some, changes) => {
    const root = parse(sampleResult([...some], changes));

    expect(root.attributes).toMatchObject({ tests: String(some.length + 1), errors: '1' });
    expect(root.children.at(-1)?.children[1]?.children[0]?.attributes.message).toMatch(/^no check ran/);
  });
});

describe('a case', () => {
  it.each<[Verdict, string, Record<string, string>]>([
    ['fail', 'failure', { message: 'm', type: 'fail' }],
    ['error', 'error', { message: 'm', type: 'error' }],
    ['warn', 'skipped', { message: 'warn: m' }],
    ['inconclusive', 'skipped', { message: 'inconclusive: m' }],
    ['skip', 'skipped', { message: 'skip: m' }],
  ])('writes %s as %s', (verdict, element, attributes) => {
    expect(outcomeOf(sampleCheck({ verdict, message: 'm' }))).toMatchObject({ name: element, attributes });
  });

  it('names each finding of a fuzz check with the command that replays it', () => {
    const more = sampleCounterexample({
      id: 'b#:broken',
      message: 'it fails',
      reproduce: ['curl b'],
      replay: 'run b',
    });
    const check = sampleCheck({ verdict: 'fail', replay: { sets: [sampleCounterexample(), more] } });

    expect(outcomeOf(check)?.text.split('\n').slice(1)).toEqual([
      'finding: posts.list/fuzz/accepted#after+before:refused',
      "replay: npm start -- run --replay 'posts.list/fuzz/accepted#after+before:refused'",
      'finding: b#:broken',
      'also: it fails',
      'repeat: curl b',
      'replay: run b',
    ]);
  });

  it('has in the body what was expected and observed, and how to repeat it', () => {
    const check = sampleCheck({
      verdict: 'fail',
      message: 'accepted 101',
      expected: 'refused',
      observed: '200\n101 records',
      reproduce: ['curl a', 'curl b'],
    });

    expect(outcomeOf(check)?.text).toBe(
      [
        'section: §4.6 (stated)',
        'message: accepted 101',
        'expected: refused',
        'observed: 200',
        '101 records',
        'repeat: curl a',
        'repeat: curl b',
      ].join('\n'),
    );
  });

  it('falls back on what was observed, then on the title, for a message', () => {
    const messageOf = (changes: object): string | undefined =>
      outcomeOf(sampleCheck({ verdict: 'fail', ...changes }))?.attributes.message;

    expect(messageOf({ observed: 'a 200' })).toBe('a 200');
    expect(messageOf({})).toBe('refuses per_page above 100');
  });

  it('keeps hostile text short and visible', () => {
    const outcome = outcomeOf(sampleCheck({ verdict: 'fail', message: `\u0000\n${'x'.repeat(9000)}` }));

    expect(outcome?.attributes.message).toMatch(/^\\x00\\nx+… \(9002 characters\)$/);
    expect(outcome?.attributes.message?.length).toBeLessThan(400);
    expect(outcome?.text.length).toBeLessThan(4200);
  });
});

it('lists the dependents of a failure', () => {
  const text = renderJunit(everyOutcome());

  expect(text.slice(text.indexOf('namespaces/seo/v1/served: '))).toMatch(
    /^[^<]*<failure[^<]*dependents: 1 check: seo\.file-size\/url\/required/,
  );
});

describe('beside a baseline', () => {
  const baseline: BaselineReport = {
    run: 'r1',
    started: '2026-01-01T00:00:00Z',
    notes: [],
    new: ['a'],
    still: ['b'],
    fixed: [],
    untold: [],
    vanished: [],
    unstable: [],
  };

  it('marks each failure as new or known, and counts in a property', () => {
    const checks = [
      sampleCheck({ id: 'a', verdict: 'fail', message: 'broken', standing: 'new' }),
      sampleCheck({ id: 'b', verdict: 'fail', message: 'broken', standing: 'still' }),
    ];
    const xml = renderJunit(sampleResult(checks, { baseline, news: 'new' }));

    expect(xml).toContain('message="new: broken"');
    expect(xml).toContain('message="still: broken"');
    expect(xml).toContain(
      'name="baseline" value="1 new, 1 still, 0 fixed, 0 untold, 0 vanished, 0 unstable against run r1',
    );
  });

  it('lists changed answers, and is red for them only if the run fails for them alone', () => {
    const answers = [
      { id: 'c-1', class: 'breaking', headline: 'posts: `author` is a text', advice: 'Read both.' },
    ] as const;
    const render = (changes: Partial<BaselineReport>, news: 'new' | 'none'): string =>
      renderJunit(
        sampleResult([sampleCheck({ id: 'a' })], {
          baseline: { ...baseline, new: [], answers: [...answers], ...changes },
          news,
        }),
      );

    const green = render({}, 'none');
    expect(green).toContain(
      '<skipped message="1 change in answers since the baseline: 1 breaking">breaking: posts: `author` is a text (c-1). Read both.</skipped>',
    );
    expect(green).toContain('name="baseline.answers" value="1"');
    expect(green).not.toContain('<failure');
    expect(render({}, 'new')).toContain('<failure message="1 change in answers');
    expect(render({ new: ['a'] }, 'new')).not.toContain('<failure message="1 change in answers');
  });

  it('has no error for what is unstable', () => {
    const unstable = sampleCheck({
      verdict: 'inconclusive',
      unstable: { failed: 1, asked: 3 },
      message: 'unstable: it failed 1 of 3 times',
    });
    const result = sampleResult([sampleCheck({ id: 'fine' }), unstable]);

    expect(renderJunit(result)).toContain('<error');
    const xml = renderJunit({ ...result, baseline, news: 'none' });
    expect(xml).not.toContain('<error');
    expect(xml).toContain('<skipped message="inconclusive: unstable: it failed 1 of 3 times"');
    expect(renderJunit({ ...result, baseline, news: 'untold' })).toContain('<error');
  });
});
