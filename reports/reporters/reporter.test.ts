import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { jsonText } from '../files.ts';
import { renderJunit } from './junit.ts';
import { type ChosenReporter, eventSink, type Reporter, writeReports } from './reporter.ts';

const RESULT = sampleResult([sampleCheck({ verdict: 'fail', message: '\ud800 \u001b' })]);
const JUNIT: ChosenReporter = {
  given: 'junit',
  reporter: { label: 'JUnit', file: 'junit.xml', render: renderJunit },
};
const NOTICE = { event: 'notice', notice: { id: 'a', message: 'b' } } as const;

function chosen(given: string, reporter: Partial<Reporter>): ChosenReporter {
  return { given, reporter: { file: `${given}.txt`, render: () => given, ...reporter } };
}

it('writes the result and the chosen reports, and says where they are', async () => {
  const folder = join(testFolder(), 'a');
  const failed = vi.fn();

  expect(await writeReports(folder, RESULT, [JUNIT], failed)).toEqual([
    { label: 'results', path: join(folder, 'results.json') },
    { label: 'JUnit', path: join(folder, 'junit.xml') },
  ]);
  expect(failed).not.toHaveBeenCalled();
  expect(readFileSync(join(folder, 'results.json'), 'utf8')).toBe(jsonText(RESULT));
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toBe(renderJunit(RESULT));
});

it('takes a text, bytes, parts of a text, and a promise of one', async () => {
  const folder = testFolder();
  const kinds: [string, Partial<Reporter>][] = [
    ['text', { render: () => 'größer' }],
    ['bytes', { render: () => Buffer.from('größer') }],
    ['parts', { render: () => ['grö', 'ßer'] }],
    ['later', { render: async () => 'größer' }],
  ];
  await writeReports(
    folder,
    RESULT,
    kinds.map(([given, reporter]) => chosen(given, reporter)),
    vi.fn(),
  );

  expect(kinds.map(([given]) => readFileSync(join(folder, `${given}.txt`), 'utf8'))).toEqual(
    kinds.map(() => 'größer'),
  );
});

it('writes synchronous reports before it returns, for a process that is about to end', () => {
  const folder = testFolder();
  void writeReports(folder, RESULT, [JUNIT], vi.fn());

  expect(readdirSync(folder).toSorted()).toEqual(['junit.xml', 'results.json']);
});

it('writes the other reports if one fails or cannot be written', async () => {
  const folder = testFolder();
  mkdirSync(join(folder, 'taken.txt', 'full'), { recursive: true });
  const broken = chosen('broken', {
    render() {
      throw new Error('mine');
    },
  });
  const late = chosen('late', { render: async () => Promise.reject(new Error('later')) });
  const all = [broken, late, chosen('taken', {}), JUNIT];
  const failed: string[] = [];
  const files = await writeReports(folder, RESULT, all, (given) => failed.push(given));

  expect(failed).toEqual(['broken', 'late', 'taken']);
  expect(files.map(({ label }) => label)).toEqual(['results', 'JUnit']);
});

it('reports once that a reporter fails at an event, and sends it no more', () => {
  const reported: string[] = [];
  const heard: string[] = [];
  const failing = chosen('failing', {
    onEvent() {
      heard.push('failing');
      throw new Error('no');
    },
  });
  const sink = eventSink([failing, chosen('fine', { onEvent: () => heard.push('fine') })], (given) =>
    reported.push(given),
  );
  sink(NOTICE);
  sink(NOTICE);

  expect(reported).toEqual(['failing']);
  expect(heard).toEqual(['failing', 'fine', 'fine']);
});
