import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { type Block, plainOf, type Text, type View } from '../views/blocks.ts';
import { renderMarkdown } from './markdown.ts';
import { renderPage } from './page.ts';
import { renderTerminal } from './terminal.ts';

const HOSTILE =
  '\u001b[31m<script>owned()</script>\n::error::[x](http://evil.example) | `a` @all\n##[command]';

function everyBlock(text: Text): Block[] {
  const plain = plainOf(text);
  return [
    {
      kind: 'section',
      id: 'all',
      way: [plain],
      title: text,
      tone: 'fail',
      blocks: [
        { kind: 'text', text },
        { kind: 'text', tone: 'warn', text },
        {
          kind: 'facts',
          rows: [
            ['name', text],
            ['absent', undefined],
          ],
        },
        { kind: 'code', text: plain },
        { kind: 'details', summary: text, blocks: [{ kind: 'text', text }] },
        {
          kind: 'list',
          items: [
            {
              text,
              notes: [text],
              tone: 'fail',
              id: plain,
              group: plain,
              strip: [
                ['f', 'fail'],
                ['.', undefined],
              ],
            },
          ],
          searched: true,
        },
        { kind: 'list', items: [{ text, id: plain, blocks: [{ kind: 'text', text }] }] },
        {
          kind: 'table',
          label: plain,
          columns: [{ title: 'name' }, { title: 'value', align: 'right' }],
          rows: [{ cells: [text, text], note: text }],
        },
      ],
    },
  ];
}

function viewOf(blocks: readonly Block[], changes: Partial<View> = {}): View {
  return { heading: 'A heading', tone: 'fail', lead: [], summary: [], blocks, foot: 'The foot.', ...changes };
}

const STRETCHES: readonly Text[] = [
  HOSTILE,
  ...(['code', 'quoted', 'strong', 'quiet'] as const).map((as) => [{ text: HOSTILE, as }]),
  [{ text: HOSTILE, tone: 'fail', title: HOSTILE }],
];

const TERMINAL = { width: 80 };

describe.each(STRETCHES.map((text, at) => [at, text] as const))('hostile text, span %i', (_at, text) => {
  const view = viewOf(everyBlock(text), { heading: HOSTILE, source: 'all.json' });

  it('is shown on a terminal without effect', () => {
    const shown = renderTerminal(view, TERMINAL);

    expect(shown).not.toContain('\u001b');
    expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(shown).toContain('owned()');
  });

  it('is shown in Markdown without effect', async () => {
    const shown = await marked.parse(renderMarkdown(view));

    expect(shown).not.toMatch(/<script|<a /);
    expect(shown).not.toContain('\u001b');
    expect(shown.match(/<table>/g)).toHaveLength(1);
    expect(shown.match(/<td/g)).toHaveLength(3);
  });

  it('is shown on a page without effect', () => {
    const shown = renderPage(view);

    expect(shown.match(/<script/g)).toHaveLength(1);
    expect(shown).not.toContain('\u001b');
    expect(shown).not.toContain('href="http');
    expect(shown).toContain('owned()');
  });
});

describe('many entries', () => {
  const items = Array.from({ length: 3000 }, (_, at) => ({ text: `entry ${at} ${'x'.repeat(100)}` }));
  const list: Block = { kind: 'list', items, open: { comment: 3 }, most: { comment: 3000 }, noun: 'cause' };

  it('fit into a comment: folded parts are closed, and the rest is counted', async () => {
    const text = renderMarkdown(viewOf([list], { source: 'all.json' }));

    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('<details><summary>2997 more causes</summary>');
    expect(text).toMatch(/\n<\/details>\n\n\d+ more entries: in `all\.json`\.\n$/);
  });

  it('are counted on a terminal, with a pointer to the rest if it exists', () => {
    expect(renderTerminal(viewOf([list], { source: 'all.json' }), TERMINAL)).toContain(
      '… and 2980 more, see all.json',
    );
    expect(renderTerminal(viewOf([list]), TERMINAL)).toMatch(/… and 2980 more$/m);
  });
});

it('show a block only where there is room for it', () => {
  const view = viewOf([
    { kind: 'text', text: 'for a comment', from: 'comment' },
    { kind: 'text', text: 'for a page', from: 'page' },
  ]);

  expect(renderTerminal(view, TERMINAL)).not.toContain('for a');
  expect(renderMarkdown(view)).toContain('for a comment');
  expect(renderMarkdown(view)).not.toContain('for a page');
  expect(renderPage(view)).toContain('for a page');
});

it('end on a terminal with the conclusion and the files, or show only those if requested', () => {
  const view = viewOf([{ kind: 'text', text: 'details' }], { summary: [{ kind: 'text', text: 'why' }] });
  const reports = [{ label: 'page', path: '/out/a.html' }];

  expect(renderTerminal(view, { ...TERMINAL, reports })).toBe(
    'details\n\nA heading\nwhy\npage  /out/a.html\n',
  );
  expect(renderTerminal(view, { ...TERMINAL, reports, brief: true })).toBe(
    'A heading\nwhy\npage  /out/a.html\n',
  );
});

it.each([
  ['a name', ['one note', 'another'], '- a name: one note; another'],
  ['a name', ['A sentence.', 'Another.', 'id 1'], '- a name: A sentence. Another. id 1'],
  ['A sentence.', ['one note', 'another'], '- A sentence. one note another'],
])('join in Markdown %s and its notes %j', (text, notes, expected) => {
  const view = viewOf([{ kind: 'list', items: [{ text, notes }] }]);

  expect(renderMarkdown(view)).toContain(`${expected}\n`);
});
