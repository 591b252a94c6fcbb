import { describe, expect, it } from 'vitest';
import type { Change } from '../../compare/change.ts';
import { downShare, failingCheck, sampleFleet, sampleShare } from '../../compare/fleet/fleet.fixture.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import * as samples from '../page/documents.fixture.ts';
import { renderMarkdown } from '../renderers/markdown.ts';
import { renderPage } from '../renderers/page.ts';
import { renderTerminal } from '../renderers/terminal.ts';
import { comparisonView } from './comparison.ts';
import { explainedChangeView, explainedCheckView } from './explain.ts';
import { fleetView } from './fleet.ts';
import { historyView } from './history.ts';
import { watchView } from './watch.ts';

const BASELINE = {
  run: 'r',
  started: '2025-03-03T05:06:07.000Z',
  new: 1,
  still: 2,
  fixed: 3,
  untold: 0,
  vanished: 0,
  unstable: 0,
  worst: ['index/name/present'],
};

const CHANGE: Change = {
  id: 'method-removed GET /posts',
  digest: 'chg-0123456789ab',
  kind: 'method-removed',
  class: 'breaking',
  effect: 'narrows',
  side: 'sent',
  owner: 'cms/v2',
  place: 'GET /posts',
  subject: 'the method',
  exchange: { before: 'curl before', after: 'curl after' },
};

const FLEET = sampleFleet(
  [
    ...Array.from({ length: 60 }, (_, at) => sampleShare(`healthy-${String(at).padStart(2, '0')}`)),
    sampleShare(`ill-${'x'.repeat(60)}`, [failingCheck('index/name/present', { isNew: true })], {
      baseline: BASELINE,
      namespaces: ['cms/v2', 'seo/v1'],
    }),
    sampleShare('other', [], { namespaces: ['cms/v2'] }),
    downShare('down', 3, `the site says \u001b[31m${'long '.repeat(100)}`),
  ],
  { notes: ['no baseline for down: not evaluated'] },
);

function text(width = 80, fleet = FLEET): string {
  return renderTerminal(fleetView(fleet), { width });
}

function readingsOf(view: ReturnType<typeof fleetView>): Record<string, string> {
  const page = renderPage(view).replace(/^.*<body>/s, '');
  const texts = {
    terminal: renderTerminal(view, { width: 120 }),
    markdown: renderMarkdown(view).replaceAll(/[\\`*]/g, ''),
    page: page.replaceAll(/<[^>]+>/g, ''),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, one.replaceAll(/\s+/g, ' ')]));
}

it.each([
  [
    'a history',
    historyView(samples.sampleHistory()),
    [
      '1 check fails in the latest run',
      'fixed in the latest run',
      'waived by us until 2099-01-01: known',
      'requests 1,000 to 1,004',
      'check-0',
    ],
  ],
  [
    'a comparison',
    comparisonView(samples.sampleComparison()),
    [
      '2 breaking changes',
      'the namespace acme/v1 is new',
      'are refused.',
      '1 other change depends on it',
      '4 checks cannot be compared, for 2 reasons',
      'skip before: 2 checks',
      '2: over budget',
      'read before, write after',
    ],
  ],
  [
    'a fleet',
    fleetView(samples.sampleFleet()),
    [
      '1 of 5 targets not conformant',
      'nothing listens there',
      'new on 1',
      'waived on 1',
      'it was not evaluated then',
      '1 target worse',
    ],
  ],
  [
    'an explained check',
    explainedCheckView(
      {
        id: 'posts.list/per_page/maximum',
        deployment: 'core',
        asks: 'declares a maximum',
        section: { section: '4.6' },
        basis: 'stated',
        readings: [{ id: 'R33', says: 'It is refused.' }],
        requirements: [],
        needs: { mode: 'read', user: true },
        hangsOn: ['posts.list/per_page/declared'],
        blocks: [],
        mutants: [],
        declare: `{"routes":{${'x'.repeat(3000)}}}`,
        sends: [{ method: 'GET', route: '/posts', as: 'user', answer: 'accepted' }],
      },
      sampleCheck({ verdict: 'fail', observed: 'it is 50' }),
    ),
    [
      'declares a maximum (deployment core)',
      'it is 50',
      '§4.6; stated: the section states it',
      'mode read and a user',
      'Ruling R33: It is refused.',
      'GET /posts (user: accepted)',
      'posts.list/per_page/declared',
      `${'x'.repeat(3000)}}}`,
    ],
  ],
  [
    'an explained change',
    explainedChangeView(CHANGE, [CHANGE, { ...CHANGE, place: 'GET /pages' }], undefined),
    ['breaking: what callers send is more limited', 'GET /posts', 'GET /pages', 'curl before'],
  ],
  [
    'what changed while watching',
    watchView(
      { checks: [sampleCheck({ id: 'a/b', verdict: 'fail' })] },
      sampleResult([sampleCheck({ id: 'a/b' })]),
      sampleResult([]),
    ),
    ['1 check more passes', '+ a/b', '0 fail'],
  ],
])('%s shows the same facts on a terminal, in Markdown and on a page', (_name, view, facts) => {
  for (const [name, reading] of Object.entries(readingsOf(view))) {
    for (const fact of facts) expect(reading, name).toContain(fact);
  }
});

it('lists on the page of a history what is new in its last run', () => {
  const history = samples.sampleHistory();
  const series = history.series.map((one) => ({
    ...one,
    nights: one.nights.map((night) => ({ ...night, new: ['posts.list/found-today'] })),
  }));

  expect(renderPage(historyView({ ...history, series }))).toMatch(
    /1 new in the latest run.*posts\.list\/found-today/s,
  );
});

describe('a fleet', () => {
  it('lists the worst first, with the reason if a target could not be evaluated, and counts the rest', () => {
    const lines = text().split('\n');
    const at = lines.findIndex((line) => line.includes('63 targets ──'));

    expect(lines[at + 2]).toMatch(/^ {2}ill-x+… +FAIL/);
    expect(lines[at + 3]).toMatch(/^ {2}down +UNKNOWN/);
    expect(lines[at + 4]).toContain('the site says \\x1b[31mlong');
    expect(text()).toContain('… and 51 more, none of them worse, see fleet.json');
  });

  it('distinguishes a target with known failures only from one that conforms', () => {
    const known = sampleShare('known', [failingCheck('a')], {
      exitCode: 0,
      baseline: { ...BASELINE, new: 0, worst: [] },
    });

    expect(text(80, sampleFleet([known]))).toMatch(/^ {2}known +nothing new +1 /m);
    expect(text(80, sampleFleet([sampleShare('well')]))).toMatch(/^ {2}well +ok +0 /m);
  });

  it('says on how many targets something fails, what is new, and what only some serve', () => {
    expect(text()).toContain('1 of 63   index/name/present (new on 1): what index/name/present says');
    expect(text()).toContain('1 target worse than the baseline');
    expect(text()).toContain('1 new: index/name/present');
    expect(text(120)).toMatch(/1 of 2 +seo\/v1\n +ill-x/);
    expect(text()).not.toContain('cms/v2');
    expect(text()).toContain('no baseline for down: not evaluated');
  });

  it('also says on the page what all targets serve', () => {
    expect(renderPage(fleetView(FLEET))).toMatch(/served by all.*cms\/v2/s);
  });

  it('groups failures by the area that a check names, whatever its id', () => {
    const ill = sampleShare('ill', [failingCheck('posts.list/context/enum', { area: 'contexts' })]);

    expect(renderPage(fleetView(sampleFleet([ill])))).toContain('<th scope="col">contexts</th>');
  });

  it('lists only targets with problems in Markdown', () => {
    const markdown = renderMarkdown(
      fleetView(sampleFleet([sampleShare('healthy'), downShare('down', 3, 'a <b>bold</b> | reason @all')])),
    );

    expect(markdown).toContain('a &lt;b&gt;bold&lt;/b&gt; \\| reason `@all`');
    expect(markdown).not.toContain('healthy');
  });

  it('says of which targets little was evaluated, and why', () => {
    const extent = { evaluated: 1, wanted: 3 };
    const fleet = sampleFleet([
      sampleShare('thin', [], { extent, reason: 'most was denied' }),
      sampleShare('b'),
    ]);

    for (const reading of Object.values(readingsOf(fleetView(fleet)))) {
      expect(reading).toContain('All of 2 targets conformant, 1 of them little evaluated');
      expect(reading).toContain('33.3 % evaluated');
      expect(reading).toContain('most was denied');
    }
  });

  it('says that a shard is not the whole fleet, and PARTIAL for a target with a partial plan', () => {
    const partial = { planned: 10, asked: 4, share: 0.4 };
    const shares = [sampleShare('a', [], { partial }), sampleShare('b')];
    const fleet = sampleFleet(shares, { selected: 9, shard: { index: 2, of: 4 } });

    for (const reading of Object.values(readingsOf(fleetView(fleet)))) {
      expect(reading).toContain('All of 2 targets conformant (PARTIAL)');
      expect(reading).toContain('PARTIAL: of 1 of 2 targets only a part of the planned checks was asked');
      expect(reading).toContain('PART 2/4 of 9 targets');
    }
    expect(renderPage(fleetView(FLEET))).not.toContain('PARTIAL');
  });
});

it('a comparison counts no unknown change that only depends on a compatible cause', () => {
  const {
    counts,
    groups,
    acceptance: _,
    inconclusive: __,
    clients: ___,
    ...sample
  } = samples.sampleComparison();
  const compatible = groups.filter((group) => group.class === 'compatible');
  const shown = { ...sample, groups: compatible, counts: { ...counts, exposed: 0, breaking: 0, unknown: 2 } };

  expect(compatible).not.toEqual([]);
  expect(readingsOf(comparisonView(shown)).terminal).toContain('No breaking change');
});
