import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonText } from '../../reports/files.ts';

/** The folder of the package with compiled code and data. */
const COMPILED = 'dist';

/** The oldest Node for the package, because of its dependencies. */
const NODE = '>=22.19.0';

/**
 * What `npm pack` runs before and after packing. Before: compiles the sources, copies the data files beside
 * them, and replaces package.json by that of the package, because npm reads no other. After: restores
 * package.json, and removes compiled files.
 */
const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, COMPILED);
const MANIFEST = join(ROOT, 'package.json');
const KEPT = join(ROOT, 'package.json.checkout');

/** Modules whose data are only for proofs. */
const WITHOUT_DATA: ReadonlySet<string> = new Set(['sites']);

const [moment] = process.argv.slice(2);
if (moment === 'before') {
  restore();
  const manifest: Manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  compile();
  copyData(manifest);
  cpSync(MANIFEST, KEPT);
  writeFileSync(MANIFEST, jsonText(packageManifest(manifest)));
} else if (moment === 'after') {
  restore();
  rmSync(DIST, { recursive: true, force: true });
} else {
  process.stderr.write('tools/package/pack.ts: expected "before" or "after"; "npm pack" runs both\n');
  process.exitCode = 2;
}

/** After this packing, or an interrupted one. */
function restore(): void {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

function compile(): void {
  rmSync(DIST, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '--project', join(ROOT, 'tsconfig.package.json')], {
    stdio: 'inherit',
  });
}

function copyData(manifest: Manifest): void {
  for (const name of readdirSync(DIST).filter((folder) => !WITHOUT_DATA.has(folder))) {
    cpSync(join(ROOT, name), join(DIST, name), {
      recursive: true,
      filter: (path) => !/\.(?:ts|md)$|\.fixture\.|\/out$/.test(path),
    });
  }
  writeFileSync(
    join(DIST, 'package.json'),
    jsonText({ name: manifest.name, version: manifest.version, private: true, type: 'module' }),
  );
}

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}

/** The manifest of the published package, with nothing that only a checkout needs. */
function packageManifest(checkout: Manifest): Record<string, unknown> {
  const { private: _, scripts, devDependencies, allowScripts, ...published } = checkout;
  return {
    ...published,
    engines: { node: NODE },
    bin: Object.fromEntries(
      Object.entries(checkout.bin).map(([command, path]) => [command, `${COMPILED}/${path}`]),
    ),
    exports: Object.fromEntries(
      Object.entries(checkout.exports).map(([entry, path]) => [entry, compiledEntry(path)]),
    ),
    files: [COMPILED],
  };
}

function compiledEntry(path: string): unknown {
  if (path === './package.json') return path;
  const place = path.replace(/^\.\//, `./${COMPILED}/`);
  if (!place.endsWith('.ts')) return place;
  const stem = place.slice(0, -'.ts'.length);
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}
