import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnswerNotes } from '../client/observed/document.ts';
import { eventsOf, sampleCheck, sampleResult } from '../engine/result.fixture.ts';
import type { CheckResult } from '../engine/result.ts';
import type { RunEvent } from '../engine/run-event.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { EventLog, readEvents } from './read-events.ts';

const FIELDS = { resource: 'posts', operation: 'posts.list', records: 1, always: ['id'], sometimes: [] };

const NOTICE = { id: 'routes/extra', message: 'größer' };

const CHECKS = [
  sampleCheck({ id: 'index/a', verdict: 'fail', message: 'größer', reproduce: ['curl'] }),
  // A later version may add members.
  Object.assign(sampleCheck({ id: 'index/b' }), { later: true }),
  sampleCheck({ id: 'index/c', verdict: 'skip', skip: { kind: 'selection', option: '--only' } }),
];

describe('readEvents', () => {
  let path = '';

  beforeEach(() => {
    path = join(testFolder(), 'events.ndjson');
  });

  function write(events: RunEvent[]): void {
    const log = new EventLog(path);
    for (const event of events) log.append(event);
    log.close();
  }

  it('keeps what records of an unfinished run showed, by resource and context', () => {
    const [start, ...others] = eventsOf(sampleResult(CHECKS)).filter(({ event }) => event !== 'end');
    if (start === undefined) throw new Error('no start');
    const fields = ['view', 'edit'].map((context) => ({ ...FIELDS, context }));
    write([start, ...fields.map((shown): RunEvent => ({ event: 'fields', fields: shown })), ...others]);

    expect(readEvents(path)).toMatchObject({
      run: { ended: 'interrupted' },
      observed: { fields: [{ context: 'edit' }, { context: 'view' }] },
    });
  });

  it('keeps the forms of answers', () => {
    const [start, ...others] = eventsOf(sampleResult(CHECKS));
    if (start === undefined) throw new Error('no start');
    write([start, { event: 'observed', answers: [], refusals: [] }, ...others]);

    expect(readEvents(path).observed).toEqual({ fields: [], answers: [], refusals: [] });
  });

  it('keeps the latest event for each kind of answer, also of an unfinished run', () => {
    const answer = (route: string, accepted: number): AnswerNotes => ({
      ...{ route, namespace: 'x/v1', method: 'GET', caller: 'user', statuses: { 200: accepted }, accepted },
      ...{ forms: { list: accepted }, records: 0, headers: {} },
    });
    const [start, ...others] = eventsOf(sampleResult(CHECKS)).filter(({ event }) => event !== 'end');
    if (start === undefined) throw new Error('no start');
    const parts = [[answer('/b', 1), answer('/a', 1)], [answer('/b', 4)]].map(
      (answers): RunEvent => ({ event: 'observed', answers, refusals: [] }),
    );
    write([start, ...parts, ...others]);

    expect(readEvents(path).observed?.answers?.map(({ route, accepted }) => [route, accepted])).toEqual([
      ['/a', 1],
      ['/b', 4],
    ]);
  });

  it.each([undefined, 'the target stopped answering'])(
    'rebuilds exactly the result of a finished run: %s',
    (ended) => {
      const sample = sampleResult(CHECKS, { notices: [NOTICE], reason: 'as the run said' });
      const result = ended === undefined ? sample : { ...sample, run: { ...sample.run, ended } };
      write(eventsOf(result));

      expect(readEvents(path)).toEqual(result);
    },
  );

  it('orders checks by the plan, and uses the last result of a check', () => {
    const [start, ...rest] = eventsOf(sampleResult(CHECKS));
    const at = (place: number, changes: Partial<CheckResult>): RunEvent => ({
      event: 'check',
      at: place,
      check: sampleCheck(changes),
    });
    const checks = [
      at(1, { id: 'b' }),
      at(0, { id: 'a', verdict: 'fail' }),
      at(0, { id: 'a', verdict: 'warn' }),
    ];
    write([start, ...checks, ...rest.slice(-1)].flatMap((event) => event ?? []));
    const heard: string[] = [];
    const result = readEvents(path, ({ event }) => heard.push(event));

    expect(result.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['a', 'warn'],
      ['b', 'pass'],
    ]);
    expect(result.counts).toMatchObject({ fail: 0, warn: 1, pass: 1 });
    expect(heard).toEqual(['start', 'check', 'check', 'check', 'end']);
  });

  it('keeps every check before a crash, wherever the last line was cut off', () => {
    write(eventsOf(sampleResult(CHECKS, { notices: [NOTICE] })));
    const whole = readFileSync(path);
    const ends = [...whole.keys()].filter((index) => whole[index] === 0x0a);
    const start = (ends[0] ?? 0) + 1;

    const wrong: number[] = [];
    // Every position around the end of a line, and every seventh of the others.
    const isNearEnd = (at: number): boolean => ends.some((end) => Math.abs(end - at) <= 2);
    for (let cut = start; cut < whole.length - 1; cut += 1) {
      if (cut % 7 > 0 && !isNearEnd(cut)) continue;
      writeFileSync(path, whole.subarray(0, cut));
      const { checks, run, conclusion } = readEvents(path);
      // A line without its line feed is complete.
      const written = ends.filter((end) => end <= cut).length;
      const expected = [
        CHECKS.slice(0, written - 1),
        { ended: 'interrupted', requests: 0 },
        written > 1 ? 'nonconformant' : 'inconclusive',
      ];
      const { ended, requests } = run;
      if (!isDeepStrictEqual([checks, { ended, requests }, conclusion], expected)) wrong.push(cut);
    }

    expect(wrong).toEqual([]);
    expect(whole.length - start).toBeGreaterThan(500);
  });

  it('concludes nothing from the passes of an interrupted run, and says how far it got', () => {
    write(eventsOf(sampleResult([sampleCheck({}), sampleCheck({ id: 'b' })])).slice(0, 2));

    const { conclusion, reason } = readEvents(path);

    expect(conclusion).toBe('inconclusive');
    expect(reason).toContain('after 1 of 2 planned checks (interrupted)');
  });

  it.each([
    ['what is not JSON', '{"event":"che', /JSON/],
    ['an unknown event', '{"event":"toString"}', /not a known event/],
    ['no event', '[]', /not a known event/],
    [
      'a verdict that there is not',
      JSON.stringify({ event: 'check', check: { ...sampleCheck({}), verdict: 'green' } }),
      /\/check\/verdict/,
    ],
    ['a missing member', '{"event":"notice","notice":{"id":"x"}}', /'message'/],
  ])('refuses a line with %s before the last, and says which', (_case, line, why) => {
    write(eventsOf(sampleResult(CHECKS)));
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').with(1, line).join('\n'));

    expect(() => readEvents(path)).toThrow(/events\.ndjson, line 2: /);
    expect(() => readEvents(path)).toThrow(why);
  });

  it('refuses a file that does not begin with the start of a run', () => {
    writeFileSync(path, '');

    expect(() => readEvents(path)).toThrow('not the start of a run');
  });

  it.each([
    ['a second start', 0],
    ['a check after the end', 1],
  ])('refuses %s', (_case, again) => {
    const events = eventsOf(sampleResult(CHECKS));
    write([...events, ...events.slice(again, again + 1)]);

    expect(() => readEvents(path)).toThrow('line 6');
  });
});

const LOGGED = { event: 'notice', notice: { id: 'n', message: 'two\nlines \u2028 \ud800' } } as const;

describe('EventLog', () => {
  let path = '';

  beforeEach(() => {
    path = join(testFolder(), 'new', 'events.ndjson');
  });

  it('writes each event as one line before append returns', () => {
    const log = new EventLog(path);
    for (const written of [1, 2]) {
      log.append(LOGGED);
      const lines = readFileSync(path, 'utf8').split('\n');
      expect(lines).toHaveLength(written + 1);
      expect(JSON.parse(lines[0] ?? '')).toEqual(LOGGED);
    }
    log.close();
  });

  it('starts empty in place of an earlier log', () => {
    const earlier = new EventLog(path);
    earlier.append(LOGGED);
    earlier.close();

    new EventLog(path).close();

    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('takes no event after close, which may be called again', () => {
    const log = new EventLog(path);
    log.close();
    log.close();

    expect(() => log.append(LOGGED)).toThrow('is closed');
  });
});
