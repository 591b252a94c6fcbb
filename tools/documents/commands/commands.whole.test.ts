import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testFolder } from '../../../specs/folder.fixture.ts';
import { ROOT, readText } from '../../../tests/project-files.ts';
import { Reader } from './follow.fixture.ts';
import { PAGES } from './pages.fixture.ts';

let reader: Reader;

beforeAll(() => {
  reader = new Reader();
});

afterAll(() => reader.close());

describe('the commands of the documents', { timeout: 180_000 }, () => {
  it.each(Object.entries(PAGES))('end as the page says: %s', async (document, page) => {
    expect(await reader.follow(page, readText(document))).toEqual([]);
  });
});

it('npx runs the program in a checkout, without a registry, and what it prints is the document alone', () => {
  const cache = testFolder();
  const stdout = execFileSync('npx', ['site-conformance', 'explain', 'pass', '--json'], {
    cwd: ROOT,
    env: { ...process.env, npm_config_cache: cache, npm_config_registry: 'http://127.0.0.1:9' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'pass' });
});

function block(script: string): string {
  return `# A page\n\n\`\`\`sh\n${script}\n\`\`\`\n`;
}

describe('following a document', () => {
  it.each([
    ['a misspelt option', 'npm start -- plan --onyl posts.list', /exit code 2\n.*--onyl/],
    ['an unknown command of a known program', 'npm publish', /nothing is known of this command: npm publish/],
    ['a script that is not there', 'npm run hostille', /package\.json has no script "hostille"/],
    ['a misspelt option of a script', 'npm run hostile -- --onyl x', /hostile knows no --onyl/],
    ['a file that is not there', 'gh pr comment --body-file none.md', /there is no none\.md/],
  ])('finds %s', async (_, script, fault) => {
    expect((await reader.follow({}, block(script))).join('\n')).toMatch(fault);
  });

  it('runs nothing twice and nothing that is not written', async () => {
    expect(await reader.follow({}, block('# a remark\nnpm start -- \\\n  explain pass | head -n 1'))).toEqual(
      [],
    );
  });
});
