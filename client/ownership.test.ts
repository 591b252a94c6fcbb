import { describe, expect, it } from 'vitest';
import { ModeViolation } from './mode.ts';
import type { RequestSpec } from './observation.ts';
import { Ownership } from './ownership.ts';

const OWN = '/cms/v2/posts/12';

function ownership(): Ownership {
  const own = new Ownership();
  own.batchesAt('/batch/v1');
  own.mayCreateIn('/cms/v2/posts');
  own.claim(OWN);
  return own;
}

function write(spec: Partial<RequestSpec>): RequestSpec {
  return { method: 'POST', route: OWN, intent: 'own-record', ...spec };
}

function batch(...requests: unknown[]): RequestSpec {
  return write({ route: '/batch/v1', body: { json: { requests } } });
}

it('a record that existed before is never own, while a record of another collection with its id may be', () => {
  const own = ownership();
  own.keepOff('/cms/v2/posts', (id) => id < 10);

  expect(() => own.claim('/cms/v2/posts/9')).toThrow(ModeViolation);
  expect(own.owns('/cms/v2/posts/9')).toBe(false);
  expect(own.isNew('/cms/v2/posts/9')).toBe(false);
  expect(own.isNew('/cms/v2/pages/9')).toBe(false);
  expect(own.isNew('/cms/v2/posts/10')).toBe(true);
  own.claim('/cms/v2/posts/10');
  own.claim('/cms/v2/pages/9');
  expect(own.owns('/cms/v2/pages/9')).toBe(true);
});

describe('what a run may change', () => {
  it.each<[string, RequestSpec]>([
    ['an own record', write({ method: 'DELETE' })],
    ['an own record that is named twice', write({ body: { json: { id: 12 } } })],
    ['an own record that a form names twice', write({ body: { form: [['id', '12']] } })],
    ['a collection, by a form', write({ route: '/cms/v2/posts', body: { form: [['title', 'a']] } })],
    ['what depends on an own record', write({ route: `${OWN}/autosaves` })],
    ['a collection, by creating', write({ route: '/cms/v2/posts' })],
    ['nothing, in a batch', batch({ path: '/no-such-route' }, { path: 'https://example.org/no-such-route' })],
    ['a sample text, in a batch', batch({ path: 'sample' }, { path: '/sample', method: 'DELETE' })],
    ['its own records, in a batch', batch({ path: OWN, method: 'DELETE' }, { path: `${OWN}?force=true` })],
    ['a collection, by creating in a batch', batch({ path: '/cms/v2/posts', body: { title: 'a' } })],
  ])('is %s', (_what, spec) => {
    expect(() => ownership().guard(spec)).not.toThrow();
  });

  it.each<[string, RequestSpec]>([
    ["not anybody else's record", write({ route: '/cms/v2/posts/13' })],
    ['not a record whose id begins like an own one', write({ route: '/cms/v2/posts/123' })],
    ['not the whole collection', write({ method: 'DELETE', route: '/cms/v2/posts' })],
    ['not another collection', write({ route: '/cms/v2/users' })],
    ['not a record that a member of the body names', write({ body: { json: { id: 13 } } })],
    ['not a record that the query names', write({ query: [['id', '13']] })],
    ['not a record that a form names', write({ body: { form: [['id', '13']] } })],
    ['not a record that a list in a form names', write({ body: { form: [[' id[]', '13']] } })],
    ["not anybody else's record, by a form", write({ route: '/cms/v2/posts/13', body: { form: [] } })],
    ['not a batch in a form', write({ route: '/batch/v1', body: { form: [['requests[0][path]', OWN]] } })],
    ['not a batch in an address', write({ route: '/batch/v1', query: [['requests[0][path]', OWN]] })],
    ['not a record that a creation names', write({ route: '/cms/v2/posts', body: { json: { id: 13 } } })],
    ["not anybody else's record, in a batch", batch({ path: OWN }, { path: '/cms/v2/posts/13' })],
    ["not another's record by address in a batch", batch({ path: 'https://example.org/cms/v2/posts/13' })],
    ['not a record that a part of a batch names', batch({ path: OWN, body: { id: 13 } })],
    ['not a record that the query of a part names', batch({ path: `${OWN}?id=13` })],
  ])('is %s', (_what, spec) => {
    expect(() => ownership().guard(spec)).toThrow(ModeViolation);
  });
});
