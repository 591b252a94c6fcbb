import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { refusal, testFile, tryMain } from '../try-main.fixture.ts';

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('export', () => {
  it('prints OpenAPI of a deployment of the user, with the address that is named', async () => {
    const about = ['--target', 'https://site.example/blog/', '--pretty', '/wp-json/'];
    const openapi = ['export', '--format', 'openapi', '--deployment', smallDeployment()];
    const { code, stdout } = await tryMain(...openapi, ...about);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://site.example/blog/wp-json' }],
      paths: { '/cms/v2/posts': { get: { operationId: 'posts.list' } } },
    });
  });

  it('writes one document into a file, in the words of a vocabulary', async () => {
    const out = join(testFolder(), 'deep', 'contract.json');
    const about = ['--deployment', smallDeployment(), '--vocabulary', 'wordpress', '--out', out];
    const { code, stdout } = await tryMain('export', '--format', 'jsonschema', ...about);

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^12 operations of small as jsonschema/),
    });
    expect(Object.keys(Object(read(out).$defs))).toEqual(
      expect.arrayContaining(['index', 'posts.list.arguments', 'posts.fields', 'posts.view', 'posts.edit']),
    );
    expect(JSON.stringify(read(out))).toContain('/wp/v2/posts');
  });

  it('writes each schema into a file of its own in a folder', async () => {
    const out = testFolder();
    const about = ['--deployment', smallDeployment(), '--out', out];
    const { code } = await tryMain('export', '--format', 'jsonschema', ...about);

    expect(code).toBe(0);
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['index.schema.json', 'posts.list.arguments.schema.json']),
    );
    expect(read(join(out, 'posts.view.schema.json'))).toMatchObject({ type: 'object', required: ['id'] });
  });

  it('replaces nothing without --force', async () => {
    const out = testFile('openapi.json', 'mine');
    const about = ['export', '--format', 'openapi', '--deployment', smallDeployment(), '--out', out];
    const refused = await tryMain(...about);

    expect(refused).toMatchObject(refusal(/is there already.*--force to replace/));
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect(await tryMain(...about, '--force')).toMatchObject({ code: 0 });
    expect(read(out).openapi).toBe('3.1.0');
  });

  it.each<[string, string[], RegExp]>([
    ['no format', [], /required option '--format <format>' not specified/],
    ['another format', ['--format', 'raml'], /'raml' is invalid. Allowed choices are openapi, jsonschema/],
    ['an unknown deployment', ['--format', 'openapi', '--deployment', 'c'], /unknown deployment "c"/],
    ['a wrong address', ['--format', 'openapi', '--target', 'site'], /neither an http or https address/],
    ['a wrong prefix', ['--format', 'openapi', '--pretty', 'a b'], /--pretty a b: expected the path below/],
    ['an address of schemas', ['--format', 'jsonschema', '--pretty', 'x'], /--pretty says where routes are/],
  ])('says in one line what is wrong with %s', async (_what, args, line) => {
    expect(await tryMain('export', ...args)).toMatchObject(refusal(line));
  });
});
