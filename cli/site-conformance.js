#!/usr/bin/env node
// Plain JavaScript, so that old versions of Node can report that they are too old.
import { existsSync, realpathSync } from 'node:fs';
import * as modules from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const root = fileURLToPath(new URL('..', import.meta.url));
// The package is compiled; a checkout is TypeScript, which Node runs directly from this version on.
const compiled = existsSync(join(root, 'cli/main.js'));
const needed = compiled ? [22, 19] : [24, 8];
const remedy = compiled
  ? 'install a newer Node, or run it with one: npx -p node@24 -p site-conformance site-conformance'
  : '"npm ci" brings one, and "npm start --" uses it';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (!compiled && /[\\/]node_modules[\\/]/.test(root)) {
  process.stderr.write(
    'site-conformance: the sources are installed here, as a git address brings them, and Node does not run TypeScript below node_modules: install the file that "npm pack" makes in a checkout\n',
  );
  process.exitCode = 2;
} else if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  // Frequent garbage collection costs little, because a run mostly waits.
  setFlagsFromString('--heap-growing-percent=20');
  keepCompiled();
  goToCaller();
  import(compiled ? './main.js' : './main.ts').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
} else {
  process.stderr.write(
    `site-conformance: needs Node ${needed.join('.')} or newer and runs on ${process.versions.node}: ${remedy}\n`,
  );
  process.exitCode = 2;
}

/** Halves the start time: compiled code is cached in the cache folder of the user, if there is one. */
function keepCompiled() {
  const { XDG_CACHE_HOME: caches, HOME: home, LOCALAPPDATA: windows } = process.env;
  const folder = windows ?? caches ?? (home && join(home, '.cache'));
  if (folder && isAbsolute(folder)) modules.enableCompileCache(join(folder, 'site-conformance', 'compiled'));
}

/** npm runs scripts in the folder of the package; paths are relative to the folder where npm was started. */
function goToCaller() {
  const { INIT_CWD: caller, npm_package_json: script, npm_lifecycle_event: event } = process.env;
  if (event !== 'start' || caller === undefined || script === undefined) return;
  if (isSame(script, join(root, 'package.json')) && existsSync(caller)) process.chdir(caller);
}

function isSame(one, other) {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}
