import { expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { renderAnnotations } from './github.ts';
import { everyOutcome, HIDDEN, hostileRun } from './sample-run.fixture.ts';

function commandsIn(text: string): { kind: string; title: string; message: string }[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, kind = '', title = '', message = ''] =
        /^::(error|warning|notice) title=([^:,]*)::(.*)$/.exec(line) ?? [];
      const decode = (one: string): string =>
        one
          .replaceAll('%3A', ':')
          .replaceAll('%2C', ',')
          .replaceAll('%0D', '\r')
          .replaceAll('%0A', '\n')
          .replaceAll('%25', '%');
      return { kind, title: decode(title), message: decode(message) };
    });
}

it('annotates with the conclusion first, then what is new', () => {
  const [conclusion, first, second] = commandsIn(renderAnnotations(everyOutcome()));

  expect(conclusion).toMatchObject({ kind: 'error', title: 'NOT CONFORMANT' });
  expect(conclusion?.message.split('\n').slice(1)).toEqual([
    '1,023 of 1,458 required checks pass (70.2 %)',
    'next: serve GET seo/v1/file_size; 393 checks wait for it',
  ]);
  expect(first).toMatchObject({ kind: 'error', title: 'NEW namespaces/seo/v1/served' });
  expect(second?.title).toBe('GET /wp/v2/posts per_page (posts.list/per_page/maximum)');
  expect(second?.message).toBe(
    "§4.6: accepted 101\nexpected: refused\nobserved: 200\ncurl -sS 'http://127.0.0.1/?per_page=101'",
  );
});

it('adds only a notice for a conformant run', () => {
  expect(commandsIn(renderAnnotations(sampleResult([sampleCheck({})])))).toEqual([
    expect.objectContaining({ kind: 'notice', title: 'CONFORMANT' }),
  ]);
});

it('writes no more annotations of a kind than GitHub shows, and counts the rest', () => {
  const checks = (['fail', 'warn'] as const).flatMap((verdict) =>
    Array.from({ length: 100 }, (_, at) => sampleCheck({ id: `posts.list/${verdict}${at}`, verdict })),
  );
  const commands = commandsIn(renderAnnotations(sampleResult(checks)));

  expect(commands.filter(({ kind }) => kind === 'error')).toHaveLength(10);
  expect(commands.filter(({ kind }) => kind === 'warning')).toHaveLength(10);
  expect(commands[9]).toMatchObject({ title: '92 more', message: '92 more findings: see results.json' });
});

it('lets no text of a target start or end a command', () => {
  const text = renderAnnotations(hostileRun());
  const commands = commandsIn(text);

  expect(commands.map(({ kind }) => kind)).toEqual(['error', 'error', 'warning', 'notice']);
  expect(text).not.toMatch(/##\w*\[/);
  expect(text).not.toMatch(HIDDEN);
  for (const { message } of commands) expect(message).not.toMatch(/^\s*::/m);
});

it('reports a run without new findings as a notice', () => {
  const { counts, ...result } = everyOutcome();
  const commands = commandsIn(
    renderAnnotations({ ...result, counts: { ...counts, error: 0 }, news: 'none' }),
  );

  expect(commands.find(({ title }) => title === 'NOT CONFORMANT')?.kind).toBe('notice');
});
