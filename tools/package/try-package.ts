import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { messageOf } from '../../engine/text.ts';
import { serve } from '../../sites/reference/serve.ts';
import { examplesIn } from './examples.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The package as it is installed in a folder, for some Node. */
function installedIn(home: string, node: string) {
  const run = async (program: string, args: readonly string[], cwd: string): Promise<Ended> => {
    // Without the settings of npm and vitest for this process.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(?:npm_|INIT_CWD|VITEST|SITE_CONFORMANCE_)/i.test(name),
      ),
    );
    const path = [dirname(node), process.env.PATH].join(delimiter);
    const child = spawn(program, args, { cwd, env: { ...env, PATH: path, NO_COLOR: '1' } });
    child.stdin.end();
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  };
  return {
    home,
    /** Runs a program of `node_modules/.bin` as a shell would. @param folder the folder of the caller */
    bin: (name: string, args: readonly string[], folder = home) =>
      run(join(home, 'node_modules/.bin', name), args, folder),
    node: (args: readonly string[]) => run(node, args, home),
  };
}

type Installed = ReturnType<typeof installedIn>;

/** The example that the command line loads. */
const OWN_CHECKS = 'own-checks.ts';
const ONLY = ['--only', 'posts.list/per_page/**'];

/** Uses an installed package as people do. @throws Error with the failed step and its output */
async function tryEverything(installed: Installed): Promise<void> {
  const empty = mkdtempSync(join(scratch, 'empty-'));
  const run = (...args: string[]): Promise<Ended> => installed.bin('site-conformance', args, empty);

  async function step(what: string, ended: Promise<Ended>, code: number, shown: RegExp): Promise<void> {
    const begun = performance.now();
    const { code: was, stdout, stderr } = await ended;
    const noise = /Warning:|DeprecationWarning|file:\/\/.*\.js/.exec(stderr)?.[0];
    if (was !== code || !shown.test(stdout + stderr) || noise !== undefined) {
      throw new Error(
        `${what}: exit code ${was} instead of ${code}, or not ${shown}, or ${noise ?? 'no noise'}\n${stdout}\n${stderr}`,
      );
    }
    say(`  ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }

  function wrote(...paths: string[]): void {
    const missing = paths.filter((path) => !existsSync(join(empty, path)));
    if (missing.length > 0) throw new Error(`not in the folder of the caller: ${missing.join(', ')}`);
  }

  await step('the embedded deployments', run(...ONLY), 0, /CONFORMANT/);
  wrote('reports/out/a/results.json', 'reports/out/b/report.html');
  await step('an address', run(site.url, '--deployment', 'core', '--out', 'before'), 0, /^CONFORMANT/m);
  await step('the same again', run('run', '--target', site.url, ...ONLY, '--out', 'after'), 0, /CONFORMANT/);
  wrote('before/results.json', 'after/results.json');
  await step('diff', run('diff', 'before', 'after'), 0, /nothing changed/);
  await step('plan', run('plan', ...ONLY), 0, /posts\.list\/per_page\/maximum/);
  await step('explain', run('explain', 'posts.list/per_page/maximum'), 0, /posts\.list\/per_page\/maximum/);
  await step('init', run('init', '--target', site.url, '--out', 'own'), 0, /./);
  const written = run('--config', configIn(join(empty, 'own')), ...ONLY, '--out', 'mine');
  await step('a run of what init wrote', written, 0, /CONFORMANT/);
  const level = ['--certify', 'index', '--implementation', 'Reference 1', '--out', 'certified'];
  await step('a certificate', run(site.url, '--deployment', 'core', ...level), 0, /certificate/i);
  await step('verify', run('verify', certificateIn(empty)), 0, /conformant/i);
  const allure = run(...ONLY, '--reporter', 'allure', '--out', 'allure');
  await step('a report that needs more', allure, 2, /needs the package allure, which is not installed/);
  await step('a fleet', fleet(installed, empty), 0, /./);

  const examples = examplesIn(readFileSync(join(ROOT, 'docs/library.md'), 'utf8')).map(({ name, text }) => ({
    name,
    text: text
      .replaceAll('https://staging.example.org', site.url)
      .replaceAll(/'(before|after)\/results\.json'/g, `'${empty}/$1/results.json'`),
  }));
  for (const { name, text } of examples) {
    writeFileSync(join(installed.home, name), text);
    if (name.endsWith('.test.ts') || name === OWN_CHECKS) continue;
    const ended = installed.node(['--disable-warning=ExperimentalWarning', name]);
    await step(`the example ${name}`, ended, 0, /\w/);
  }
  // A folder without the package.
  copyFileSync(join(installed.home, OWN_CHECKS), join(empty, OWN_CHECKS));
  const own = ['--checks', OWN_CHECKS, '--only', 'acme/**', '--out', 'own-checks'];
  await step("checks of a user's own", run(site.url, '--deployment', 'core', ...own), 0, /CONFORMANT/);
  const tests = examples.map(({ name }) => name).filter((name) => name.endsWith('.test.ts'));
  const tested = installed.bin('vitest', ['run', ...tests]);
  await step('the suite among tests of vitest', tested, 0, /Tests +\d+ passed/);
  const strict = '--noEmit --strict --module nodenext --target es2024 --types node --skipLibCheck'.split(' ');
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const typed = installed.node([tsc, ...strict, ...examples.map(({ name }) => name)]);
  await step('the types of the examples', typed, 0, /^/);
  const program = join(installed.home, 'node_modules/site-conformance/dist/cli/site-conformance.js');
  const refused = installed.node(['--require', pretend(), program]);
  const needs = /^site-conformance: needs Node 22\.19 or newer and runs on 20\.1\.0: .*\n$/;
  await step('an older Node', refused, 2, needs);
}

function fleet(installed: Installed, folder: string): Promise<Ended> {
  const targets = { one: { url: site.url }, two: { url: site.url } };
  writeFileSync(join(folder, 'fleet.json'), JSON.stringify({ targets }));
  const args = ['run', '--all-targets', '--config', 'fleet.json', ...ONLY, '--out', 'fleet'];
  return installed.bin('site-conformance', args, folder);
}

function configIn(folder: string): string {
  const name = readdirSync(folder).find((file) => file.endsWith('.config.json'));
  if (name === undefined) throw new Error(`init wrote no configuration into ${folder}`);
  return join(folder, name);
}

function certificateIn(folder: string): string {
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    /(?:^|[\\/])certificate-[\w-]+$/.test(file),
  );
  if (name === undefined) throw new Error(`no certificate below ${folder}`);
  return join(folder, name);
}

function pretend(): string {
  const file = join(scratch, 'pretend.cjs');
  writeFileSync(
    file,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });\n",
  );
  return file;
}

/**
 * Packs the package, installs it into an empty folder elsewhere, and uses it there as people do. Exit code 1 at the
 * first failure. `--node VERSION` uses that Node, from the registry's package `node`.
 */
const ROOT = join(import.meta.dirname, '../..');
const NOT_COPIED: ReadonlySet<string> = new Set(['.git', '.cache', 'node_modules', 'reports/out']);
const LARGEST_MB = 120;
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

const { values } = parseArgs({ options: { node: { type: 'string', multiple: true, default: [] } } });
using folder = temporaryFolder('package');
const scratch = folder.path;
const site = await serve({ deployment: 'core' });
try {
  const tarball = pack();
  const home = join(scratch, 'elsewhere');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(home, 'install', tarball, '@types/node');
  const packages = Object.keys(JSON.parse(npm(home, 'query', '*')) ?? []).length;
  const size = megabytes(join(home, 'node_modules'));
  say(
    `installed: ${size.toFixed(0)} MB in ${packages} packages, the package itself ${megabytes(join(home, 'node_modules/site-conformance')).toFixed(1)} MB`,
  );
  if (size > LARGEST_MB) throw new Error(`the installation takes ${size} MB: ${LARGEST_MB} at most`);
  // Only those who run checks as tests install this.
  npm(home, 'install', 'vitest');
  const nodes = values.node.length === 0 ? [process.execPath] : values.node.map(nodeOf);
  for (const node of nodes) {
    say(`on Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
    await tryEverything(installedIn(home, node));
  }
  say('all of it works where it is installed');
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  await site.close();
}

/** Packs a copy of the checkout, because packing replaces package.json for a while, and others may read it. */
function pack(): string {
  const copy = join(scratch, 'checkout');
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  npm(copy, 'pack', '--pack-destination', scratch);
  const [name] = readdirSync(scratch).filter((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no tarball');
  return join(scratch, name);
}

function nodeOf(version: string): string {
  const folder = join(scratch, `node-${version}`);
  mkdirSync(folder);
  npm(folder, 'install', '--prefix', folder, `node@${version}`);
  return join(folder, 'node_modules/node/bin/node');
}

function npm(folder: string, ...args: string[]): string {
  return execFileSync('npm', [...args, ...QUIET], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function megabytes(folder: string): number {
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
      .reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0) / 1_000_000
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
