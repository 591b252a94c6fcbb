import { describe, expect, it } from 'vitest';
import { classify } from './answer.ts';

describe('classify', () => {
  it.each([
    ['accepted', [200, 201, 204, 207, 299]],
    ['refused', [400, 404, 409, 410, 413, 414, 415, 422, 418, 451]],
    ['denied', [401, 403]],
    ['absent', [405, 501]],
    ['throttled', [408, 425, 429, 503]],
    ['broken', [0, 500, 502, 504, 599]],
  ])('counts as %s the statuses %o', (answer, statuses) => {
    expect(statuses.map(classify)).toEqual(statuses.map(() => answer));
  });

  it.each([301, 302, 304, 307, 308])(
    'counts the redirect %i neither as accepted nor as refused',
    (status) => {
      expect(['absent', 'broken']).toContain(classify(status));
    },
  );
});
