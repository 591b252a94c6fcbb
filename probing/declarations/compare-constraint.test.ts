import { describe, expect, it } from 'vitest';
import { constraintsOf, describePlace, placeOf, type Schema } from '../../specs/schema.ts';
import { compareConstraint } from './compare-constraint.ts';

/** The outcome of every constraint of a schema, by place and kind; what is met is left out. */
function compared(schema: Schema, declaration: unknown, required?: boolean): Record<string, string> {
  return Object.fromEntries(
    constraintsOf(schema, required).flatMap((constraint) => {
      const outcome = compareConstraint(constraint, declaration);
      const id = [placeOf(constraint.steps), constraint.kind].filter((part) => part !== '').join('/');
      if (outcome === undefined) return [];
      return [[id, typeof outcome === 'string' ? outcome : outcome.message.replace(/:.*/, '')]];
    }),
  );
}

const TERMS: Schema = {
  type: ['array', 'object'],
  items: { type: 'integer' },
  properties: { terms: { type: 'array', items: { type: 'integer' }, default: [] } },
  required: ['terms'],
  additionalProperties: false,
};

const EXCLUDING: Schema = {
  additionalProperties: false,
  'x-absent-members': [{ name: 'b', section: '4', basis: 'stated', reason: 'a only' }],
};
const BLOCKED = {
  'items/declared': 'is not declared',
  'items/additionalProperties': 'blocked',
  'items/properties/b/absent': 'blocked',
};
const IN_EDIT: Schema = { 'x-contexts': ['edit'] };
const FLIP = { properties: { type: { enum: ['flip'] }, args: { type: 'object' } } };
const TURN = { properties: { type: { enum: ['rotate'] }, args: { type: 'object' } } };
const FLIPPING: Schema = { 'x-variants': [FLIP] };

describe('constraintsOf', () => {
  it('names every stated constraint once, outermost first, and nothing that is not stated', () => {
    const ids = constraintsOf(TERMS, false).map(({ steps, kind }) => `${placeOf(steps)}:${kind}`);

    expect(ids).toEqual([
      ':declared',
      ':required',
      ':type',
      ':additionalProperties',
      'items:declared',
      'items:type',
      'properties/terms:declared',
      'properties/terms:required',
      'properties/terms:type',
      'properties/terms:default',
      'properties/terms/items:declared',
      'properties/terms/items:type',
    ]);
  });

  it('says nothing of required where that is silent, and asks for no default where none may be', () => {
    const kinds = constraintsOf({ 'x-absent': ['default'] }, undefined).map(({ kind }) => kind);

    expect(kinds).toEqual(['declared', 'default/absent']);
  });

  it('describes a place to a reader', () => {
    const deepest = constraintsOf(TERMS, undefined).at(-1)?.steps ?? [];

    expect(describePlace('categories', deepest)).toBe('the items of "terms" in categories');
  });
});

describe('compareConstraint', () => {
  it('finds one difference for each that there is', () => {
    const declared = {
      type: ['object', 'array'],
      items: { type: 'int' },
      properties: { terms: { type: 'array' } },
    };

    expect(compared(TERMS, declared)).toEqual({
      additionalProperties: 'is declared open',
      'properties/terms/required': 'is not declared as required',
      'properties/terms/default': 'declares no default',
      'properties/terms/items/declared': 'is not declared',
      'properties/terms/items/type': 'blocked',
    });
  });

  it('reports what is not declared once, and is blocked in all that is inside', () => {
    expect(compared(TERMS, undefined, true)).toMatchObject({
      declared: 'is not declared',
      required: 'blocked',
      type: 'blocked',
      'items/declared': 'blocked',
      'properties/terms/items/type': 'blocked',
    });
    expect(
      compared(TERMS, { type: ['array', 'object'], items: { type: 'integer' }, additionalProperties: false }),
    ).toEqual({
      'properties/terms/declared': 'is not declared',
      'properties/terms/required': 'blocked',
      'properties/terms/type': 'blocked',
      'properties/terms/default': 'blocked',
      'properties/terms/items/declared': 'blocked',
      'properties/terms/items/type': 'blocked',
    });
  });

  it.each<[string, Schema, unknown, boolean | undefined, Record<string, string>]>([
    ['required', {}, { required: false }, true, { required: 'is not declared as required' }],
    ['optional', {}, { required: true }, false, { required: 'is declared as required' }],
    [
      'a flag as text',
      {},
      { required: 'true' },
      true,
      { required: 'declares no boolean or array as required' },
    ],
    ['a numbered enum', { enum: ['a', 'b'] }, { enum: { 1: 'a', 2: 'b' } }, undefined, {}],
    ['a silent flag', {}, { required: true }, undefined, {}],
    ['type', { type: 'string' }, {}, undefined, { type: 'declares no type' }],
    ['format', { format: 'uri' }, { format: 'date-time' }, undefined, { format: 'declares another format' }],
    [
      'unique items',
      { uniqueItems: true },
      {},
      undefined,
      { uniqueItems: 'does not declare that items are unique' },
    ],
    [
      'a closed object',
      { additionalProperties: false },
      { additionalProperties: [] },
      undefined,
      { additionalProperties: 'is declared open' },
    ],
    [
      'an open object',
      { additionalProperties: true },
      { additionalProperties: false },
      undefined,
      { additionalProperties: 'is declared closed' },
    ],
    ['an open object without a word', { additionalProperties: true }, {}, undefined, {}],
    [
      'a default that may not be',
      { 'x-absent': ['default'] },
      { default: 1 },
      undefined,
      { 'default/absent': 'declares a default where the contract has none' },
    ],
    ['a default of null that may not be', { 'x-absent': ['default'] }, { default: null }, undefined, {}],
    [
      'the type of a default of null',
      { type: 'integer', default: null },
      { type: ['integer', 'null'], default: null },
      undefined,
      {},
    ],
    [
      'null beside another default',
      { type: 'integer', default: 1 },
      { type: ['integer', 'null'], default: 1 },
      undefined,
      { type: 'has another type, wider' },
    ],
    ['a pattern', { pattern: '^[\\w-]+$' }, { pattern: '^[a-zA-Z0-9_-]+$' }, undefined, {}],
    [
      'members',
      { additionalProperties: { type: 'string' } },
      { additionalProperties: { type: 'int' } },
      undefined,
      { 'members/type': 'has another type, narrower' },
    ],
    [
      'a closed object that names another member',
      { additionalProperties: false, properties: { a: {} } },
      { additionalProperties: false, properties: { a: {}, b: {} } },
      undefined,
      { additionalProperties: 'declares "b"' },
    ],
    [
      'a member that is excluded by name',
      EXCLUDING,
      { additionalProperties: false, oneOf: [{ properties: { b: {} } }] },
      undefined,
      { 'properties/b/absent': 'is declared, which the contract excludes (a only)' },
    ],
    ['a member that is rightly absent', EXCLUDING, { additionalProperties: false }, undefined, {}],
    ['an excluded member of nothing', { items: EXCLUDING }, {}, undefined, BLOCKED],
    ['stated contexts', IN_EDIT, { context: ['edit'] }, undefined, {}],
    ['no contexts', IN_EDIT, {}, undefined, { contexts: 'undeclared' }],
    [
      'other contexts',
      IN_EDIT,
      { context: ['view', 'edit'] },
      undefined,
      { contexts: 'has another set of contexts, wider' },
    ],
    ['a stated variant among others', FLIPPING, { anyOf: [TURN, FLIP] }, undefined, {}],
    [
      'a stated variant by a constant',
      FLIPPING,
      { oneOf: [{ properties: { type: { const: 'flip' } } }] },
      undefined,
      {},
    ],
    ['variants by an enum', FLIPPING, { properties: { type: { enum: ['rotate', 'flip'] } } }, undefined, {}],
    ['no variants', FLIPPING, { properties: { type: {} } }, undefined, { variants: 'undeclared' }],
    [
      'variants without the stated one',
      FLIPPING,
      { oneOf: [TURN] },
      undefined,
      { variants: 'declares no variant with type "flip"' },
    ],
    [
      'a variant whose arguments are no object',
      FLIPPING,
      { oneOf: [{ properties: { ...FLIP.properties, args: { type: 'string' } } }] },
      undefined,
      { variants: 'the variant "flip" declares args as another type' },
    ],
    ['annotations', { 'x-section': '4', readOnly: true }, {}, undefined, {}],
  ])('evaluates %s', (_what, schema, declaration, required, outcome) => {
    expect(compared(schema, declaration, required)).toEqual(outcome);
  });

  it('takes a member that the contract names like an inherited one for a member', () => {
    const schema: Schema = { properties: { constructor: { type: 'string' } } };

    expect(compared(schema, { properties: {} })).toMatchObject({
      'properties/constructor/declared': 'is not declared',
    });
    expect(compared(schema, { properties: { constructor: { type: 'string' } } })).toEqual({});
  });
});
