import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract } from '../specs/contract.ts';
import type { Operation } from '../specs/model.ts';
import type { Schema } from '../specs/schema.ts';
import type { SetParameter } from './sets.ts';

/** A parameter or a writable field to test the generators with. */
export interface Subject {
  readonly name: string;
  readonly schema: Schema;
}

/** Every keyword of operation files, alone and combined, as in a user's own file. */
const EVERY_KEYWORD: Readonly<Record<string, Schema>> = {
  untyped: {},
  nothing: { type: 'null' },
  number: { type: 'number' },
  ratio: { type: 'number', minimum: 0.25, maximum: 0.75 },
  narrow: { type: 'number', minimum: 0.001, maximum: 0.002 },
  below: { type: 'integer', maximum: -5 },
  between: { type: 'integer', minimum: -3, maximum: 3 },
  single: { type: 'integer', minimum: 7, maximum: 7 },
  grades: { type: 'integer', enum: [1, 2, 4], minimum: 1, maximum: 4 },
  shares: { type: 'number', enum: [0.5, 1.5] },
  level: { enum: ['low', 'high', ''] },
  short: { type: 'string', minLength: 2, maxLength: 3 },
  empty: { type: 'string', maxLength: 0 },
  long: { type: 'string', minLength: 500 },
  code: { type: 'string', pattern: '^[a-z]{2}-\\d+$', minLength: 5, maxLength: 8 },
  anywhere: { type: 'string', pattern: 'a|b' },
  when: { type: ['string', 'null'], format: 'date-time' },
  precise: { type: 'string', format: 'date-time', maxLength: 19 },
  where: { type: 'string', format: 'uri', maxLength: 60 },
  either: { type: ['string', 'integer', 'boolean'] },
  anything: { type: 'array' },
  none: { type: 'array', items: { type: 'integer' }, maxItems: 0 },
  switches: { type: 'array', items: { type: 'boolean' }, minItems: 3 },
  distinct: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 9 },
    minItems: 2,
    maxItems: 4,
    uniqueItems: true,
  },
  codes: { type: 'array', items: { type: 'string', pattern: '^[A-Z]$' }, minItems: 3, uniqueItems: true },
  kinds: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2, uniqueItems: true },
  few: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 4, maxItems: 5 },
  matrix: { type: 'array', items: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2 } },
  times: { type: 'array', items: { type: 'string', format: 'date-time' }, minItems: 2, uniqueItems: true },
  filter: {
    type: ['array', 'object'],
    items: { type: 'integer' },
    properties: {
      terms: { type: 'array', items: { type: 'integer' } },
      operator: { type: 'string', enum: ['AND', 'OR'] },
    },
    additionalProperties: false,
  },
  author: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 20 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      id: { type: 'integer', readOnly: true },
    },
    required: ['name'],
    additionalProperties: false,
  },
  shelf: {
    type: 'array',
    minItems: 2,
    maxItems: 3,
    uniqueItems: true,
    items: {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 10 }, pages: { type: 'integer', minimum: 1 } },
      required: ['title', 'pages'],
    },
  },
  labels: { type: 'object', additionalProperties: { type: 'string', enum: ['red', 'blue'] } },
  open: {
    type: 'object',
    properties: { on: { type: 'boolean', default: 'yes' } },
    additionalProperties: true,
  },
  closed: {
    type: 'object',
    additionalProperties: false,
    'x-absent-members': [{ name: 'old', section: '1', basis: 'stated', reason: 'gone', probe: 1 }],
  },
  doubtful: { type: 'integer', minimum: 1, 'x-doubtful': ['minimum'], 'x-silent': ['type'] },
  owner: { type: 'integer', 'x-names': 'users' },
};

/** Keywords that differ from row to row and limit nothing. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'default', 'x-section', 'x-note']);

let loaded: readonly Operation[] | undefined;

/** The operations of A, B and a user's operation file, each once. */
function contracts(): readonly Operation[] {
  if (loaded === undefined) {
    const all = ['a', 'b', ownDeployment()].flatMap((deployment) => [
      ...loadContract({ deployment, vocabulary: 'neutral' }).operations,
    ]);
    loaded = [...new Map(all.map((operation) => [operation.id, operation])).values()];
  }
  return loaded;
}

/** Every operation with the parameters that are not in its path. */
export function operations(): readonly {
  readonly id: string;
  readonly parameters: readonly SetParameter[];
}[] {
  return contracts().map(({ id, parameters }) => ({
    id,
    parameters: parameters
      .filter((parameter) => parameter.in !== 'path')
      .map(({ wire, schema, required }) => ({ name: wire, schema, required: required === true })),
  }));
}

/** Every parameter and writable field, without equal schemas. */
export function subjects(): readonly Subject[] {
  const bySchema = new Map<string, Subject>();
  for (const { id, parameters } of contracts()) {
    for (const { name, schema } of parameters) {
      const key = JSON.stringify(schema, (word, value: unknown) => (TEXTS.has(word) ? undefined : value));
      if (!bySchema.has(key)) bySchema.set(key, { name: `${id}/${name}`, schema });
    }
  }
  return [...bySchema.values()];
}

let folder: string | undefined;

/** Writes a user's deployment file into a folder that is removed with the process. */
function ownDeployment(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'site-conformance-test-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const operation = {
    ...{ id: 'books.list', methods: ['GET'], route: '/books/v1/books', section: '1', basis: 'stated' },
    ...{ effect: 'reads', parameters: { properties: EVERY_KEYWORD } },
  };
  const operations = {
    namespace: 'books/v1',
    id: 'books',
    section: '1',
    root: 'stated',
    operations: [operation],
  };
  writeFileSync(join(folder, 'books.json'), JSON.stringify(operations));
  const path = join(folder, 'deployment.json');
  writeFileSync(path, JSON.stringify({ name: 'books', title: 'Books', operations: ['./books.json'] }));
  return path;
}
