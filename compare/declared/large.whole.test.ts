import { expect, it } from 'vitest';
import { compareSurfaces } from './compare-surfaces.ts';
import { surfaceOf } from './surface.ts';

const MANY = 50_000;

it('compares indexes with many namespaces and values in time proportional to their number', () => {
  const enumOf = (from: number): unknown => ({
    type: 'string',
    enum: Array.from({ length: MANY }, (_, at) => `value-${from + at}`),
  });
  const indexOf = (from: number): Record<string, unknown> => ({
    namespaces: Array.from({ length: MANY }, (_, at) => `plugin-${from + at}/v1`),
    routes: { '/any/v1': { endpoints: [{ methods: ['GET'], args: { one: enumOf(from) } }] } },
  });
  const [before, after] = [surfaceOf(indexOf(0), ''), surfaceOf(indexOf(1), '')];

  expect(compareSurfaces(before, after).map(({ kind }) => kind)).toEqual([
    'namespace-removed',
    'namespace-added',
    'constraint',
  ]);
});
