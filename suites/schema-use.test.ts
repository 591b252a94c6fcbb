import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchesGlob } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { isObject } from '../client/json.ts';
import { matchesAny } from '../engine/plan.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from './all-checks.ts';

const FOLDER = join(import.meta.dirname, '../specs/schemas');
const SCHEMAS = ['index', 'route-entry', 'parameter', 'batch', 'record', 'post', 'page', 'attachment'];
const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', '$defs']);
const NAMED = new Set(['properties', 'patternProperties', '$defs']);

/** Keywords of the published schemas, as globs over `schema/place/keyword`, and the checks that use them. */
const USED: readonly (readonly [keywords: string, checks: string])[] = [
  ['index/type', 'index/name/present'],
  ['index/required', 'index/*/present'],
  ['index/properties/*/{type,maxItems,pattern}', 'index/*/type'],
  ['index/properties/show_on_front/enum', 'index/show_on_front/enum'],
  ['index/properties/namespaces/items/type', 'index/namespaces/type'],
  ['index/properties/authentication/properties/**', 'index/authentication/*/authorization'],
  ['index/properties/routes/additionalProperties/$ref', 'routes/**/endpoints'],
  ['index/properties/routes/patternProperties/**', 'routes/**/self-link'],
  ['route-entry/type', 'routes/**/endpoints'],
  ['route-entry/required', 'routes/**/{namespace,methods,endpoints}'],
  ['route-entry/properties/namespace/type', 'routes/**/namespace'],
  ['route-entry/properties/methods/$ref', 'routes/**/methods'],
  ['route-entry/$defs/methods/**', 'routes/**/methods'],
  ['route-entry/properties/endpoints/{type,minItems}', 'routes/**/endpoints'],
  ['route-entry/properties/endpoints/items/{type,required}', 'routes/**/endpoints'],
  ['route-entry/properties/endpoints/items/properties/methods/$ref', 'routes/**/endpoints'],
  ['route-entry/properties/endpoints/items/properties/args/{type,maxItems}', 'routes/**/endpoints'],
  [
    'route-entry/properties/endpoints/items/properties/args/additionalProperties/$ref',
    'posts.list/*/declared',
  ],
  ['route-entry/$defs/{ownLinks,addresses}/**', 'routes/**/self-link'],
  ['parameter/{type,maxItems}', 'posts.list/*/declared'],
  ['parameter/properties/items/{type,maxItems}', 'posts.list/*/items/declared'],
  ['parameter/properties/type/**', 'posts.list/*/type'],
  ['parameter/properties/required/**', 'posts.list/*/required'],
  ...['enum', 'minimum', 'maximum', 'format', 'maxItems', 'minItems', 'pattern', 'uniqueItems'].map(
    (name) => [`parameter/properties/${name}/type`, `**/${name}`] as const,
  ),
  ['batch/type', 'batch/one'],
  ['batch/required', 'batch.run/requests/required'],
  ['batch/properties/validation/*', 'batch.run/validation/*'],
  ['batch/properties/requests/{type,maxItems}', 'batch.run/requests/*'],
  ['batch/properties/requests/items/{type,required}', 'batch.run/requests/items/**'],
  ['batch/properties/requests/items/properties/**', 'batch.run/requests/items/properties/**'],
  ['record/$defs/{id,parent}/type', 'records/**/{id,ids}'],
  ['record/$defs/*/type', 'posts.create/*/type'],
  ['record/$defs/*/{enum,format}', 'posts.create/*/{enum,format}'],
  ['record/$defs/*/default', 'posts.create/meta/**/default'],
  ['record/$defs/*/items/type', 'posts.create/{tags,categories}/items/type'],
  ['record/$defs/*/properties/*/{type,readOnly}', 'records/*/types/*'],
  ['record/$defs/**/x-contexts', 'posts.list/contexts/*'],
  ['{post,page,attachment}/type', 'records/{posts,pages,media}/types/*'],
  ['{post,page,attachment}/properties/**', 'records/{posts,pages,media}/types/*'],
];

/** Keywords that no check uses, with reasons. */
const REASONS: readonly (readonly [keywords: string, reason: string])[] = [
  [
    'route-entry/properties/endpoints/items/properties/allow_batch/**',
    'what is not {"v1": true} is no batch mark (R6): that it is missing, or too much, is evaluated by its meaning',
  ],
  [
    'route-entry/properties/_links/**',
    'a route with path parameters has no one address (R19); that of the others is evaluated by ownLinks',
  ],
  ['parameter/properties/description/type', 'a text for people: no check reads it'],
  [
    'parameter/properties/{minLength,maxLength}/type',
    'the contract of these deployments states neither; a contract of a user may',
  ],
  ['record/$defs/{id,parent}/readOnly', 'says for other tools that it is never written'],
];

/** All keywords of a schema that constrain a value, with their places. */
function keywordsOf(schema: unknown, place: string): string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = `${place}/${keyword}`;
    if (NAMED.has(keyword) && isObject(value)) {
      return Object.entries(value).flatMap(([name, inner]) =>
        keywordsOf(inner, `${at}/${name.replaceAll(/[^\w$-]/g, '_')}`),
      );
    }
    const isInside = (keyword === 'items' || keyword === 'additionalProperties') && isObject(value);
    if (isInside) return keywordsOf(value, at);
    const isAnnotation = ANNOTATIONS.has(keyword) || (keyword.startsWith('x-') && keyword !== 'x-contexts');
    return isAnnotation ? [] : [at];
  });
}

const KEYWORDS = SCHEMAS.flatMap((name) => {
  const schema: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.schema.json`), 'utf8'));
  return keywordsOf(schema, name);
});
const CHECKS = ['a', 'b'].flatMap((deployment) =>
  allChecks(loadContract({ deployment, vocabulary: 'neutral' })),
);

function isKnown(keyword: string): boolean {
  return [...USED, ...REASONS].some(([keywords]) => matchesGlob(keyword, keywords));
}

describe('a keyword of a published schema', () => {
  it('is used by a check, or has a reason', () => {
    expect(KEYWORDS.length).toBeGreaterThan(150);
    expect(KEYWORDS.filter((one) => !isKnown(one))).toEqual([]);
  });

  it('is found by this test if nothing uses it', () => {
    expect(isKnown('index/properties/name/maxLength')).toBe(false);
  });

  it.each([...USED, ...REASONS])('is selected by %s', (keywords) => {
    expect(KEYWORDS.some((one) => matchesGlob(one, keywords))).toBe(true);
  });

  it.each(USED)('%s is evaluated by the checks %s', (_keywords, checks) => {
    expect(CHECKS.some(({ id }) => matchesAny(id, [checks]))).toBe(true);
  });
});
