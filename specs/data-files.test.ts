import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { member } from '../client/json.ts';
import type { PathParameterKind } from './model.ts';
import type { OperationFile, OperationRow } from './operation-file.ts';
import { readJson, readValidated, validatorOf } from './validators.ts';

interface Requirement {
  id: string;
  section: string;
  statement: string;
}

interface Unspecified {
  id: string;
  section: string;
  subject: string;
  never: string;
}

const HERE = import.meta.dirname;
const OPERATION_FILES = filesIn('operations');
const ROWS: [string, OperationRow][] = OPERATION_FILES.flatMap((path) =>
  readValidated<OperationFile>(path, 'operation-file.schema.json').operations.map(
    (row): [string, OperationRow] => [row.id, row],
  ),
);
const REQUIREMENTS = readValidated<Requirement[]>(
  join(HERE, 'texts/requirements.json'),
  'requirements.schema.json',
);
const UNSPECIFIED = readValidated<Unspecified[]>(
  join(HERE, 'texts/unspecified.json'),
  'unspecified.schema.json',
);
const { $schema: _, ...KINDS } = readValidated<Record<string, PathParameterKind>>(
  join(HERE, 'path-parameter-kinds.json'),
  'path-parameter-kinds.schema.json',
);
const SECTION = /^([1-9]|4\.([1-9]|10))$/;

function filesIn(folder: string): string[] {
  return readdirSync(join(HERE, folder)).map((name) => join(HERE, folder, name));
}

describe('the data files', () => {
  it.each([
    ...OPERATION_FILES.map((path) => [relative(HERE, path), 'operation-file.schema.json']),
    ...filesIn('deployments').map((path) => [relative(HERE, path), 'deployment.schema.json']),
    ...filesIn('vocabularies').map((path) => [relative(HERE, path), 'vocabulary.schema.json']),
    ['versions/wordpress.json', 'versions.schema.json'],
    ['path-parameter-kinds.json', 'path-parameter-kinds.schema.json'],
    ...filesIn('texts').map((path) => [relative(HERE, path), `${basename(path, '.json')}.schema.json`]),
    ['value-hints.json', 'value-hints.schema.json'],
    ...filesIn('releases').map((path) => [relative(HERE, path), 'contract-release.schema.json']),
    ...filesIn('waivers').map((path) => [relative(HERE, path), 'waivers.schema.json']),
  ])('%s is valid against %s, because no start validates it again', (file = '', schema = '') => {
    const validate = validatorOf(schema);

    expect(validate(readJson(join(HERE, file))), JSON.stringify(validate.errors)).toBe(true);
  });

  it('are all validated here', () => {
    const folders = [
      ...['.', 'operations', 'deployments', 'vocabularies', 'texts', 'releases', 'waivers', 'versions'],
    ];
    const data = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.json') && !name.startsWith('schemas'),
    );

    expect(data.filter((name) => !folders.includes(dirname(name)))).toEqual([]);
    expect(data.filter((name) => dirname(name) === '.').toSorted()).toEqual([
      'path-parameter-kinds.json',
      'value-hints.json',
    ]);
  });

  it('point an editor to their schema', () => {
    const files = [...OPERATION_FILES, ...filesIn('deployments'), ...filesIn('vocabularies')];
    for (const path of [...files, join(HERE, 'path-parameter-kinds.json')]) {
      const address = String(member(readJson(path), '$schema'));

      expect(existsSync(resolve(dirname(path), address)), `${path}: ${address}`).toBe(true);
    }
  });

  it('are each used by a deployment', () => {
    const used = filesIn('deployments').flatMap(
      (path) => readValidated<{ operations: string[] }>(path, 'deployment.schema.json').operations,
    );
    const names = OPERATION_FILES.map((path) => basename(path, '.json'));

    expect(names.filter((name) => !used.includes(name))).toEqual([]);
  });

  it('have the file name as their name if the command line names them', () => {
    for (const path of [...filesIn('deployments'), ...filesIn('vocabularies')]) {
      expect(readJson(path)).toHaveProperty('name', basename(path, '.json'));
    }
  });
});

describe('each is there once', () => {
  it.each([
    ['the id of an operation', ROWS.map(([id]) => id)],
    ['the word for a namespace', OPERATION_FILES.map((path) => String(member(readJson(path), 'id')))],
    ['the id of a requirement', REQUIREMENTS.map(({ id }) => id)],
    ['what a requirement states', REQUIREMENTS.map(({ statement }) => statement)],
    ['the id of an unspecified point', UNSPECIFIED.map(({ id }) => id)],
    ['the subject of an unspecified point', UNSPECIFIED.map(({ subject }) => subject)],
  ])('%s', (_what, values) => {
    expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([]);
  });
});

describe('operations', () => {
  it('that share a route agree on its path parameters', () => {
    for (const [route, rows] of Map.groupBy(ROWS, ([, row]) => row.route)) {
      const said = new Set(rows.map(([, row]) => JSON.stringify(row.captures ?? {})));

      expect(said.size, route).toBe(1);
    }
  });

  it.each(ROWS)('%s cites a section and names existing kinds', (_id, row) => {
    expect(row.section).toMatch(SECTION);
    expect(Object.keys(KINDS)).toEqual(expect.arrayContaining(Object.values(row.captures ?? {})));
  });
});

describe('path parameter kinds', () => {
  it.each(Object.entries(KINDS))('%s has samples that its own pattern distinguishes', (_name, kind) => {
    const whole = new RegExp(`^(?:${kind.pattern})$`);

    expect(kind.accepts.filter((text) => !whole.test(text))).toEqual([]);
    expect(kind.refuses.filter((text) => whole.test(text))).toEqual([]);
  });

  it('are distinguished by their samples', () => {
    for (const [name, kind] of Object.entries(KINDS)) {
      const whole = new RegExp(`^(?:${kind.pattern})$`);
      const alike = Object.entries(KINDS).filter(
        ([, other]) =>
          other.accepts.every((text) => whole.test(text)) && !other.refuses.some((text) => whole.test(text)),
      );

      expect(alike.map(([other]) => other)).toEqual([name]);
    }
  });
});

describe('requirements', () => {
  it.each(REQUIREMENTS.map((one): [string, Requirement] => [one.id, one]))(
    '%s cites a section and states a fact in the present tense',
    (_id, { section, statement }) => {
      expect(section).toMatch(SECTION);
      expect(statement).not.toMatch(/\b(should|shall|will|would|ought)\b/i);
      expect(statement.length).toBeLessThan(200);
    },
  );
});

describe('unspecified', () => {
  it.each(UNSPECIFIED.map((one): [string, Unspecified] => [one.id, one]))(
    '%s cites a section and completes a sentence',
    (_id, { section, never }) => {
      expect(section).toMatch(SECTION);
      expect(`no check asserts ${never}`).not.toMatch(/[.\s]$|\bshould\b/);
    },
  );
});
