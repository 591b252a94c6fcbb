import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.ts';
import { loadVersions, type Versions } from '../../specs/versions/versions.ts';
import { indexOf } from '../site.fixture.ts';
import { looksLike } from './known-versions.ts';
import { surfaceOf } from './surface.ts';

const TRIED: Versions | undefined = loadVersions();

function indexWith(versions: readonly string[], without: readonly string[] = []): JsonObject {
  const calls: Record<string, Record<string, Record<string, object>>> = {};
  const listed = versions.flatMap((version) => TRIED?.came[version] ?? []);
  for (const one of listed.filter((entry) => !without.includes(entry))) {
    const [method = '', route = '', name = ''] = one.startsWith('/') ? ['GET', one] : one.split(' ');
    calls[route] ??= {};
    calls[route][method] = { ...calls[route][method], ...(name !== '' && { [name]: { type: 'string' } }) };
  }
  const routes = Object.fromEntries(
    Object.entries(calls).map(([route, methods]) => [
      route,
      { endpoints: Object.entries(methods).map(([method, args]) => ({ methods: [method], args })) },
    ]),
  );
  return { namespaces: ['wp/v2'], routes };
}

function guessOf(index: JsonObject): string | undefined {
  return looksLike(surfaceOf(index, 'http://127.0.0.1'));
}

const NAMES = TRIED?.runs.map(({ version }) => version) ?? [];

describe('the version of an index', () => {
  it.each(NAMES.map((version, at) => [version, at] as const))(
    'is %s where it lists all of that',
    (version, at) => {
      const guess = guessOf(indexWith(NAMES.slice(0, at + 1)));

      expect(guess?.startsWith(`WordPress ${version.slice(0, 3)} `)).toBe(true);
      expect(guess).toContain(`(all that ${version} lists`);
      expect(guess).not.toContain(' of ');
    },
  );

  it('is between two versions if it lists some of what came with the later one', () => {
    const some = TRIED?.came['7.1.1']?.slice(0, 3) ?? [];
    const rest = (TRIED?.came['7.1.1'] ?? []).filter((one) => !some.includes(one));

    expect(guessOf(indexWith(NAMES, rest))).toMatch(
      /^WordPress 6\.6 or later, before 7\.1 \(.*, 3 of \d+ that came with 7\.1\.1\)$/,
    );
  });

  it('is near one if something is missing that an earlier one lists, and counts plugins', () => {
    const [missing = ''] = TRIED?.came['6.3.5'] ?? [];
    const index = indexWith(NAMES, [missing]);

    expect(guessOf({ ...index, namespaces: ['wp/v2', 'shop/v1'] })).toBe(
      'near WordPress 7.1, but no version that is known: it lacks 1 of what that lists, 1 namespace of plugins',
    );
  });

  it('is near the version of which it lacks little, where a plugin has replaced some of the core', () => {
    const [replaced = ''] = (TRIED?.came['7.1.1'] ?? []).filter((one) => one.startsWith('/'));

    expect(guessOf(indexWith(NAMES, [replaced]))).toMatch(
      /^near WordPress 7\.1, but no version that is known: it lacks \d of what that lists$/,
    );
  });

  it('is none, or near one, for a fork that removed and added things', () => {
    const [route = '', other = ''] = (TRIED?.came['6.5.5'] ?? []).filter((one) => one.startsWith('/'));
    const index = indexWith(NAMES.slice(0, 6), [route, other]);
    const routes = {
      ...Object(index.routes),
      '/fork/v1/things': { endpoints: [{ methods: ['GET'], args: {} }] },
    };
    const fork = { namespaces: ['wp/v2', 'fork/v1'], routes };

    expect(guessOf(fork)).toBe(
      'near WordPress 6.6, but no version that is known: it lacks 2 of what that lists, 1 namespace of plugins',
    );
    // An index that is too far from all of them.
    const far = (TRIED?.came['6.1.9'] ?? []).filter((_, at) => at % 5 === 0);
    expect(guessOf({ ...fork, ...indexWith(NAMES.slice(0, 6), far) })).toBeUndefined();
  });

  it('is unknown for other software', async () => {
    const { index, url } = await indexOf('core');

    expect(looksLike(surfaceOf(index, url))).toBeUndefined();
    expect(guessOf({ namespaces: [], routes: {} })).toBeUndefined();
  });
});
