import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { readJson } from './validators.ts';

const FOLDER = join(import.meta.dirname, 'schemas');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.schema.json'));
const ANNOTATIONS = [
  ...['section', 'basis', 'contexts', 'feature', 'names', 'apart', 'registered', 'note', 'absent-members'],
].map((name) => `x-${name}`);

function readSchema(name: string): AnySchemaObject {
  const schema = readJson(join(FOLDER, `${name}.schema.json`));
  return typeof schema === 'object' && schema !== null ? schema : expect.fail(name);
}

const compiled = new Map<string, ValidateFunction>();

/** What another user has: a new validator, and the files that one schema refers to. */
function alone(name: string): ValidateFunction {
  const validate = compiled.get(name) ?? compile(name);
  compiled.set(name, validate);
  return validate;
}

function compile(name: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  const beside: Readonly<Record<string, readonly string[]>> = {
    index: ['route-entry', 'parameter'],
    'route-entry': ['parameter'],
    post: ['record'],
    page: ['record'],
    attachment: ['record'],
  };
  for (const other of beside[name] ?? []) ajv.addSchema(readSchema(other));
  return ajv.compile(readSchema(name));
}

let shared: Ajv2020 | undefined;

/** A validator that reports misspelt keywords. */
function strict(): Ajv2020 {
  if (shared === undefined) {
    shared = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
    ajvFormats.default(shared);
    shared.addVocabulary(ANNOTATIONS);
    for (const name of FILES) shared.addSchema(readSchema(name.replace('.schema.json', '')));
  }
  return shared;
}

const PARAMETER = { type: ['integer', 'null'], required: false, default: 10, minimum: 1, maximum: 100 };
const ENDPOINT = { methods: ['GET'], args: { per_page: PARAMETER }, allow_batch: { v1: true } };
const ENTRY = {
  namespace: 'cms/v2',
  methods: ['GET'],
  endpoints: [ENDPOINT],
  _links: { self: [{ href: 'http://127.0.0.1/index.php?rest_route=/cms/v2/posts' }] },
};
const { _links: _, ...LINKLESS } = ENTRY;
const INDEX = {
  name: 'A site',
  description: '',
  url: 'http://127.0.0.1',
  home: 'http://127.0.0.1',
  gmt_offset: '-3.5',
  timezone_string: '',
  page_for_posts: 0,
  page_on_front: 0,
  show_on_front: 'posts',
  namespaces: ['cms/v2'],
  authentication: [],
  routes: { '/cms/v2/posts': ENTRY, '/cms/v2/posts/(?P<id>[\\d]+)': LINKLESS },
};
const BATCH = { requests: [{ path: '/cms/v2/posts', body: { title: 'A' }, headers: { 'X-A': ['1', '2'] } }] };
const PARTS = (count: number): unknown => ({ requests: Array(count).fill({ path: '/cms/v2/posts' }) });

describe('the published schemas', () => {
  it.each(FILES)('%s knows every keyword that it uses', (file) => {
    expect(() => strict().getSchema(file) ?? expect.fail('no schema')).not.toThrow();
  });

  it.each([
    ['parameter', 'a description', PARAMETER],
    ['parameter', 'an empty object printed as an array', []],
    ['parameter', 'keys of its own', { type: 'string', oneOf: [], sanitize: true }],
    ['route-entry', 'an entry', ENTRY],
    [
      'route-entry',
      'no parameters, printed as an array',
      { ...ENTRY, endpoints: [{ ...ENDPOINT, args: [] }] },
    ],
    [
      'route-entry',
      'a batch mark that is none',
      { ...ENTRY, endpoints: [{ ...ENDPOINT, allow_batch: { v1: false } }] },
    ],
    ['index', 'an index', INDEX],
    ['index', 'further members', { ...INDEX, site_logo: 0 }],
    ['batch', 'a body', BATCH],
    ['batch', '25 parts', PARTS(25)],
    [
      'post',
      'a post',
      { title: { raw: 'A' }, status: 'draft', categories: [1], format: 'aside', sticky: true, date: null },
    ],
    ['page', 'a page', { title: { raw: 'A' }, parent: 3, menu_order: 1, date: '2024-05-06T07:08:09Z' }],
    ['attachment', 'an attachment', { alt_text: 'A', caption: { raw: 'A' }, post: 3 }],
  ])('%s accepts %s', (name, _case, data) => {
    const validate = alone(name);
    validate(data);

    expect(validate.errors).toBeNull();
  });

  it.each([
    ['route-entry', 'a link without an address', { ...ENTRY, _links: { self: [{}] } }],
    ['index', 'a number as offset', { ...INDEX, gmt_offset: -3.5 }],
    ['index', 'a word as offset', { ...INDEX, gmt_offset: 'UTC' }],
    ['index', 'a scheme without its page', { ...INDEX, authentication: { 'application-passwords': {} } }],
    ['index', 'a plain route without its address', { ...INDEX, routes: { '/cms/v2/posts': LINKLESS } }],
    [
      'index',
      'a broken entry',
      { ...INDEX, routes: { '/cms/v2/(?P<id>[\\d]+)': { ...LINKLESS, methods: {} } } },
    ],
    ['batch', '26 parts', PARTS(26)],
    ['batch', 'no parts', {}],
    ['batch', 'a part without a path', { requests: [{ method: 'POST' }] }],
    ['batch', 'a part that reads', { requests: [{ path: '/', method: 'GET' }] }],
    ['batch', 'another validation', { ...BATCH, validation: 'none' }],
    ['post', 'another status', { status: 'trash' }],
    ['post', 'a number as title', { title: 3 }],
    ['post', 'a date without a time', { date: '2024-05-06' }],
    ['post', 'words as categories', { categories: ['news'] }],
    ['page', 'a word as parent', { parent: 'home' }],
    ['attachment', 'a number as text', { alt_text: 3 }],
  ])('%s refuses %s', (name, _case, data) => {
    expect(alone(name)(JSON.parse(JSON.stringify(data)))).toBe(false);
  });
});
