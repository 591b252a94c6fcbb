import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { sampleResult } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { renderHar } from './har.ts';
import { EXCHANGES } from './reporter.ts';

const ENTRY = {
  startedDateTime: '2025-03-04T05:06:07.000Z',
  time: 1,
  request: {
    method: 'GET',
    url: 'http://127.0.0.1/',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [{ name: 'accept', value: 'größer' }],
    queryString: [],
    headersSize: -1,
    bodySize: 0,
  },
  response: {
    status: 200,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: 2, mimeType: 'application/json', text: '{}' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 2,
  },
  cache: {},
  timings: { send: 0, wait: 1, receive: 0 },
};

const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema');

function harOf(...lines: string[]): { log: { entries: unknown[]; comment: string } } {
  const folder = testFolder();
  for (const line of lines) appendFileSync(join(folder, EXCHANGES), line);
  return JSON.parse([...renderHar(sampleResult([]), folder)].join(''));
}

function violations(document: unknown): unknown {
  const ajv = new Ajv({ strict: false, logger: false });
  ajvFormats.default(ajv);
  for (const schema of Object.values(schemas)) {
    const { $schema: _draft, ...plain } = { $schema: '', ...schema };
    ajv.addSchema(plain);
  }
  const validate = ajv.getSchema('har.json#') ?? expect.fail('no schema');
  return validate(document) === true ? [] : validate.errors;
}

it.each([
  ['no exchange', []],
  ['one', [`${JSON.stringify(ENTRY)}\n`]],
  ['many, more than fit into one read', Array.from({ length: 500 }, () => `${JSON.stringify(ENTRY)}\n`)],
])('is valid HAR of %s', (_what, lines) => {
  const document = harOf(...lines);

  expect(violations(document)).toEqual([]);
  expect(document.log.entries).toEqual(lines.map(() => ENTRY));
});

it('recognizes a document that is not HAR', () => {
  expect(violations({ log: { version: '1.2', entries: [{}] } })).not.toEqual([]);
});

it('leaves out a line that a dying process cut off, and says that exchanges were left out', () => {
  const { log } = harOf(`${JSON.stringify(ENTRY)}\n`, '{"comment":"more exchanges followed"}\n', '{"started');

  expect(log.entries).toEqual([ENTRY]);
  expect(log.comment).toBe('run 4f1c2a90; more exchanges followed');
});
