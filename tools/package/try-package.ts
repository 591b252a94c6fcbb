import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '../../sites/reference/serve.ts';
import { Installed } from './installed.ts';
import { tryEverything } from './steps.ts';

/**
 * Packs the package, installs it into an empty folder elsewhere, and uses it there as people do; exit code 1 at the first thing
 * that is not as it should be. `--node VERSION` tries another Node too, which the registry's package `node` brings.
 */
const ROOT = join(import.meta.dirname, '../..');
const NOT_COPIED: ReadonlySet<string> = new Set(['.git', '.cache', 'node_modules', 'reports/out']);
const LARGEST_MB = 120;
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

const { values } = parseArgs({ options: { node: { type: 'string', multiple: true, default: [] } } });
const scratch = mkdtempSync(join(tmpdir(), 'site-conformance-package-'));
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
  // What only those install who have the checks as tests.
  npm(home, 'install', 'vitest');
  const nodes = [process.execPath, ...values.node.map((version) => nodeOf(version))];
  for (const node of nodes) {
    say(`on Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
    await tryEverything(new Installed(home, node), { root: ROOT, scratch, site, say });
  }
  say('all of it works where it is installed');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await site.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** Packs a copy of the checkout: packing lays its own package.json there for a while, and others may read that of the checkout. */
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
