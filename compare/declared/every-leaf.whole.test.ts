import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import { readRecording } from '../../sites/recordings/read-recording.fixture.ts';
import { withChange } from '../site.fixture.ts';
import { compareSurfaces } from './compare-surfaces.ts';
import { surfaceOf } from './surface.ts';

const RECORDING = join(import.meta.dirname, '../../sites/recordings/wordpress-7.1.1-read.ndjson');
type Path = readonly (string | number)[];

function recordedIndex(): JsonObject {
  const found = readRecording(RECORDING).exchanges.find(
    ({ method, route }) => method === 'GET' && route === '/',
  );
  const index = found !== undefined && 'json' in found.body ? found.body.json : undefined;
  if (!isObject(index)) throw new Error('the recording has no index');
  return index;
}

/** One path for each kind of leaf. Routes, parameters and positions count as one. */
function leafKinds(index: JsonObject): Map<string, Path> {
  const kinds = new Map<string, Path>();
  const walk = (value: unknown, path: Path): void => {
    const entries: [string | number, unknown][] = Array.isArray(value)
      ? value.map((one: unknown, at) => [at, one])
      : isObject(value)
        ? Object.entries(value)
        : [];
    for (const [name, inner] of entries) walk(inner, [...path, name]);
    const isGiven = (at: number): boolean => path[at - 1] === 'routes' || path[at - 1] === 'args';
    const kind = path.map((name, at) => (typeof name === 'number' || isGiven(at) ? '*' : name)).join('/');
    if (entries.length === 0 && !kinds.has(kind)) kinds.set(kind, path);
  };
  walk(index, []);
  return kinds;
}

function withRoutes(index: JsonObject, keys: readonly string[]): JsonObject {
  const routes = Object.entries(Object(index.routes)).filter(([key]) => keys.includes(key));
  return { ...index, routes: Object.fromEntries(routes) };
}

function altered(value: unknown): unknown {
  if (typeof value === 'string') return `${value}-altered`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? ['altered'] : value === null ? 'altered' : { altered: true };
}

it('finds a change of every kind of leaf in the index of a real site', () => {
  const index = recordedIndex();
  const kinds = leafKinds(index);
  const unseen = [...kinds].filter(([, path]) => {
    const small = withRoutes(index, path[0] === 'routes' ? [String(path[1])] : []);
    const [before, after] = [small, withChange(small, path, altered)].map((one) => surfaceOf(one, '{site}'));
    return before === undefined || after === undefined || compareSurfaces(before, after).length === 0;
  });

  expect(kinds.size).toBeGreaterThan(100);
  expect(unseen.map(([kind]) => kind)).toEqual([]);
});
