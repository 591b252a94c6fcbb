import { describe, expect, it } from 'vitest';
import { parseRoutePattern, patternFault, shapeOf } from './route-pattern.ts';

describe('parseRoutePattern', () => {
  it.each([
    ['/cms/v2/posts', ['/cms/v2/posts']],
    ['/', ['/']],
    ['', ['']],
    ['/p/(?P<id>[\\d]+)', ['/p/', ['id', '[\\d]+']]],
    ['/p/(?P<a>\\d+)/r/(?P<b>\\d+)', ['/p/', ['a', '\\d+'], '/r/', ['b', '\\d+']]],
    ['/p/(?P<id>(a|(b)))/c', ['/p/', ['id', '(a|(b))'], '/c']],
    ['/p/(?P<id>[)(]+)', ['/p/', ['id', '[)(]+']]],
    ['/p/(?P<id>\\)\\(x)', ['/p/', ['id', '\\)\\(x']]],
    ['/p/(?P<id>[\\])]+)', ['/p/', ['id', '[\\])]+']]],
    ['(?P<all>.*)', [['all', '.*']]],
    ['/p/(?P<id>[\\d]+', ['/p/(?P<id>[\\d]+']],
    ['/p/(?P<id', ['/p/(?P<id']],
    ['/p/(?P<a>x)(?P<b>', ['/p/', ['a', 'x'], '(?P<b>']],
    ['/p/(?:x)', ['/p/(?:x)']],
  ])('splits %j', (key, expected) => {
    const parts = parseRoutePattern(key).map((part) =>
      'text' in part ? part.text : [part.pathParameter, part.pattern],
    );

    expect(parts).toEqual(expected);
  });

  it('reads endlessly nested brackets in little time', () => {
    const started = performance.now();
    parseRoutePattern(`/(?P<id>${'('.repeat(100_000)}`);
    parseRoutePattern('/(?P<id>x)'.repeat(20_000));

    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('patternFault', () => {
  it.each([
    ['cms/v2/posts', 'it does not begin with /'],
    ['/p/(?P<id>[\\d+', 'a path parameter is never closed'],
    ['/p/(?P<id', 'a path parameter is never closed'],
    ['/p/(?P<>x)', 'a path parameter has no name'],
    ['/p/x)', 'a bracket closes that was never opened'],
    ['/p/(?P<id>x)/(?P<id>y)', 'two path parameters share a name'],
  ])('says of %s that %s', (key, fault) => {
    expect(patternFault(key)).toBe(fault);
  });

  it.each([
    '/',
    '/p/(?P<id>[\\d]+)',
    '/x(?:/(?P<id>[^/)]+))?',
    '/p/(?P<id>(?:a|(b))[)])/q\\)',
    '/sites/(a|b)',
  ])('finds nothing wrong with %s', (key) => {
    expect(patternFault(key)).toBeUndefined();
  });
});

it('shapeOf is equal for routes that differ only in their path parameters, in each notation', () => {
  const shapes = ['/p/(?P<id>[\\d]+)/r', '/p/(?P<parent>\\w+)/r', '/p/{id}/r'].map(shapeOf);

  expect(new Set(shapes)).toEqual(new Set(['/p/{}/r']));
});
