import { describe, expect, it, vi } from 'vitest';
import type { Method, Observation, RequestSpec } from '../observation.ts';
import type { Template } from './find-template.ts';
import { DatesOfChange, fatesOf, UnsentNotes } from './unsent.ts';

const ARGS = { status: { enum: ['draft', 'publish'] }, sticky: { type: 'boolean' }, title: {} };

const template = (route: string): Template => ({
  route,
  namespace: 'x/v1',
  methods: new Set(['POST']),
  args: () => ARGS,
});

const NEW: Template = template('/x/v1/notes');
const RECORD = { status: 'draft', sticky: false, title: 'one', author: 1 };

function noted(about: Template, ...sent: Partial<RequestSpec>[]) {
  const notes = new UnsentNotes();
  for (const one of sent) notes.note(about, { method: 'POST', route: about.route, ...one }, RECORD);
  return notes.tallies((text) => text);
}

it('counts the words of fields that a creation leaves to the site', () => {
  expect(noted(NEW, {}, { body: { json: { status: 'draft' } } })).toEqual({
    status: { draft: 1 },
    sticky: { false: 2 },
  });
});

it('shows words of a site masked and cut', () => {
  const long = 'x'.repeat(1000);
  const args = { status: { enum: ['swordfish', long] } };
  const notes = new UnsentNotes();
  for (const status of ['swordfish', long])
    notes.note({ ...NEW, args: () => args }, { method: 'POST', route: NEW.route }, { status });

  expect(notes.tallies((text) => text.replace('swordfish', '[masked]'))).toEqual({
    status: { '[masked]': 1, [long.slice(0, 100)]: 1 },
  });
});

it('counts none that a query or a form names, and none of updates', () => {
  const query = [['status', 'draft']] as const;

  expect(noted(NEW, { query, body: { form: [['sticky', '0']] } })).toBeUndefined();
  expect(noted(template('/x/v1/notes/{id}'), {})).toBeUndefined();
});

describe('what becomes of a written value', () => {
  const fates = (sent: unknown, shown: unknown): Record<string, string> => {
    const spec = { method: 'POST', route: NEW.route, body: { json: { text: sent } } } as const;
    const all = fatesOf(spec, { text: shown }).map(([name, fate]) => [
      name.replace(/^text written with /, ''),
      fate,
    ]);
    return Object.fromEntries(all);
  };
  const LONG = `Größe of "so" & <b>more</b>,\n${'and so on, '.repeat(9)}end\n`;
  const ALL = [
    ...['blanks at its ends', 'line breaks', 'straight quotes', 'ampersands', 'markup', 'capital letters'],
    ...['letters beyond ASCII', 'a long text'],
  ];

  it.each<[string, (text: string) => string, readonly string[]]>([
    ['kept', (text) => text, []],
    ['trimmed', (text) => text.trim(), ['blanks at its ends']],
    ['given other line ends', (text) => text.replaceAll('\n', '\r\n'), ['blanks at its ends', 'line breaks']],
    ['given other quotes', (text) => text.replaceAll('"', '”'), ['straight quotes']],
    ['escaped', (text) => text.replaceAll('&', '&amp;'), ['ampersands']],
    ['stripped of tags', (text) => text.replaceAll(/<[^>]*>/g, ''), ['markup']],
    ['written in lower case', (text) => text.toLowerCase(), ['capital letters']],
    ['stripped of accents', (text) => text.replaceAll(/[öß]/g, 'o'), ['letters beyond ASCII']],
    ['cut', (text) => `${text.slice(0, 90)}\n`, ['a long text']],
  ])('%s', (_, turn, lost) => {
    const found = fates(LONG, { raw: turn(LONG), rendered: '' });

    expect(Object.keys(found)).toEqual(lost.includes('a long text') ? lost : ALL);
    expect(Object.keys(found).filter((name) => found[name] === 'lost')).toEqual(lost);
  });

  it('has another name where it is encoded', () => {
    expect(fates('größe-1', 'gr%c3%b6%c3%9fe-1')).toEqual({ 'letters beyond ASCII': 'encoded' });
    expect(fates('größe-1', '100%')).toEqual({ 'letters beyond ASCII': 'lost' });
  });

  it('is that of several values, if some of them are shown', () => {
    expect([fates([1, 2, 9], [1, 2]), fates([1, 2], [1]), fates([1, 2], []), fates([1], [1])]).toEqual([
      { 'several values': 'kept' },
      { 'several values': 'lost' },
      {},
      {},
    ]);
  });

  it('is not noted of dates, and of what an answer does not show as a text', () => {
    expect([fates('2026-01-01T00:00:00', '2025-12-31T23:00:00'), fates('A', ''), fates('A', 1)]).toEqual([
      {},
      {},
      {},
    ]);
  });
});

describe('what an update does to the date of change', () => {
  const [BEFORE, AFTER] = ['2026-01-01T00:00:00', '2026-01-01T00:00:09'];
  const PLACE = '/x/v1/notes/7';

  /** Notes a creation, then a write some seconds later. */
  function afterCreation(
    later: number,
    date: string | undefined,
    { method = 'POST' as Method, route = PLACE, seconds = 0 } = {},
  ) {
    const dates = new DatesOfChange({ identity: 'id', modified: ['changed_gmt', 'changed'] });
    const note = (spec: RequestSpec, json: unknown, took = 0) =>
      dates.note(spec, { json, seconds: took } as Observation);
    vi.useFakeTimers({ now: 0 });
    try {
      expect(note({ method: 'POST', route: '/x/v1/notes' }, { id: 7, changed: BEFORE })).toBeUndefined();
      vi.setSystemTime(later * 1000);
      return note({ method, route }, { id: 7, ...(date !== undefined && { changed: date }) }, seconds);
    } finally {
      vi.useRealTimers();
    }
  }

  it.each([
    ['moves it', afterCreation(0, AFTER), ['changed', 'moved']],
    ['keeps it after seconds', afterCreation(3, BEFORE, { method: 'PATCH' }), ['changed', 'kept']],
    ['does not show it at once', afterCreation(1, BEFORE), undefined],
    ['may have been done before a late answer', afterCreation(3, BEFORE, { seconds: 2 }), undefined],
    ['does not show it', afterCreation(3, undefined), undefined],
    ['is none', afterCreation(3, BEFORE, { method: 'GET' }), undefined],
    ['is a deletion', afterCreation(3, AFTER, { method: 'DELETE' }), undefined],
    ['is of another record', afterCreation(3, AFTER, { route: '/x/v1/other' }), undefined],
  ])('%s', (_, did, expected) => {
    expect(did).toEqual(expected);
  });
});
