import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../client/json.ts';
import type { ShownFields } from './result.ts';
import { FieldNotes } from './session.ts';

const ABOUT = { resource: 'posts', operation: 'posts.list', context: 'view' };

function shownIn(records: readonly JsonObject[]): ShownFields | undefined {
  const notes = new FieldNotes((text) => text);
  notes.note(ABOUT, records);
  return notes.take()[0];
}

describe('the noted fields of records', () => {
  it('are divided into those of every record and others, members of objects too', () => {
    const records = [
      { id: 1, title: { rendered: 'a', raw: 'a' }, sticky: true, links: [{ href: 'x' }] },
      { title: { rendered: 'b' }, id: 2, links: [] },
    ];

    expect(shownIn(records)).toEqual({
      ...ABOUT,
      records: 2,
      always: ['id', 'links', 'title'],
      sometimes: ['sticky'],
      inside: { title: { always: ['rendered'], sometimes: ['raw'] } },
    });
  });

  it('have no common members if one object is empty', () => {
    // An object without members may print as an empty list.
    const shown = shownIn([{ meta: { footnotes: '' } }, { meta: [] }]);

    expect(shown?.inside).toEqual({ meta: { always: [], sometimes: ['footnotes'] } });
  });

  it('exclude numbers, links and long names, and are bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, at]));
    const shown = shownIn([{ ...many, 7: 1, _links: { self: [] }, ['x'.repeat(500)]: 1 }]);

    expect(shown?.always).toHaveLength(400);
    expect(shown?.cut).toBe(true);
    expect(JSON.stringify(shown)).not.toMatch(/"7"|self|xxx/);
  });

  it('keep names that objects inherit separate from own ones', () => {
    const record: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    const shown = shownIn([Object(record)]);

    expect(shown?.always).toEqual(['__proto__', 'constructor']);
    expect(shown?.inside).toEqual({ constructor: { always: ['b'], sometimes: [] } });
  });

  it('hold no secret that a site uses as a name', () => {
    const notes = new FieldNotes((text) => text.replaceAll('hunter22', '[redacted]'));
    notes.note(ABOUT, [{ hunter22: { hunter22: 1 } }]);

    expect(JSON.stringify(notes.take())).not.toContain('hunter22');
  });

  it('are noted once for each resource and context, and returned once', () => {
    const notes = new FieldNotes((text) => text);
    notes.note(ABOUT, [{ a: 1 }]);
    notes.note(ABOUT, [{ b: 1 }]);
    notes.note({ ...ABOUT, context: 'edit' }, [{ c: 1 }]);

    expect(notes.take().map(({ always }) => always)).toEqual([['a'], ['c']]);
    expect(notes.take()).toEqual([]);
  });
});
