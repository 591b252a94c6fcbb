import { describe, expect, it } from 'vitest';
import type { Versions } from '../../specs/versions/versions.ts';
import type { Group } from '../groups/groups.ts';
import { markEverywhere } from './known-versions.ts';
import { type Surface, surfaceOf } from './surface.ts';

const VERSIONS: Versions = {
  format: 1,
  software: 'WordPress',
  contract: '',
  runs: ['6.4.5', '6.5.5', '6.6-RC3'].map((version) => ({ version, day: '', mode: 'read', requests: 1 })),
  verdicts: {},
  failures: {},
  steps: [
    {
      from: '6.4.5',
      to: '6.5.5',
      breaking: [],
      unknown: [],
      compatible: 1,
      others: [cause('b', 'x: `b` is new')],
    },
    {
      from: '6.5.5',
      to: '6.6-RC3',
      breaking: [cause('a', 'fonts: `version` default is 3, not 2: 5 routes')],
      unknown: [],
      compatible: 0,
    },
  ],
  namespaces: ['wp/v2'],
  came: { '6.4.5': ['/wp/v2/posts'], '6.5.5': ['/wp/v2/fonts'], '6.6-RC3': ['/wp/v2/views'] },
};

function cause(letter: string, headline: string): { readonly id: string; readonly headline: string } {
  return { id: `cause-${letter.repeat(12)}`, headline };
}

function group(letter: string, headline: string): Group {
  const { id } = cause(letter, headline);
  const none = { sentence: '', advice: '', changes: [], hanging: [] };
  return { id, digest: id, class: 'breaking', owner: 'wp/v2', headline, ...none };
}

function listing(...routes: readonly string[]): Surface {
  const entries = routes.map((route) => [`/wp/v2/${route}`, { endpoints: [] }]);
  return surfaceOf({ namespaces: ['wp/v2'], routes: Object.fromEntries(entries) }, 'http://127.0.0.1');
}

const FONTS = group('a', 'fonts: `version` default is 3, not 2: 7 routes');
const guessed = (...routes: readonly string[]): { surface: Surface; software: undefined } => ({
  surface: listing(...routes),
  software: undefined,
});
const said = (software: string): { surface: undefined; software: string } => ({
  surface: undefined,
  software,
});
const marks = (...given: Parameters<typeof markEverywhere>): (string | undefined)[] =>
  markEverywhere(...given).map(({ everywhere }) => everywhere);

describe('a change that an upgrade causes on every site', () => {
  it('is marked between the versions of both sides, in any number of places', () => {
    const sides = [guessed('posts', 'fonts'), guessed('posts', 'fonts', 'views')] as const;
    expect(marks([FONTS], sides, VERSIONS)).toEqual(['WordPress 6.5.5 to 6.6-RC3']);
  });

  it('is marked between given versions, over all steps between them', () => {
    const sides = [said('WordPress 6.4.1'), said('wordpress 6.6')] as const;
    expect(marks([FONTS, group('b', 'y: `b` is new')], sides, VERSIONS)).toEqual([
      'WordPress 6.4.5 to 6.6-RC3',
      'WordPress 6.4.5 to 6.6-RC3',
    ]);
  });

  it('is not marked if it differs, the version is unknown, or there was no such step', () => {
    const other = group('a', 'fonts: `version` default is 4, not 2: 5 routes');
    const upgrade = [guessed('posts', 'fonts'), guessed('posts', 'fonts', 'views')] as const;
    expect(marks([other], upgrade, VERSIONS)).toEqual([undefined]);
    expect(marks([FONTS], [said('Acme 1.2'), said('WordPress 6.6')], VERSIONS)).toEqual([undefined]);
    expect(marks([FONTS], [said('WordPress 6.6'), said('WordPress 6.5')], VERSIONS)).toEqual([undefined]);
    expect(marks([FONTS], [guessed('posts', 'views'), guessed('posts', 'fonts', 'views')], VERSIONS)).toEqual(
      [undefined],
    );
  });
});
