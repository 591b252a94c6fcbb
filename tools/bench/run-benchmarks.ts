import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command } from 'commander';

const BENCHMARKS: Readonly<Record<string, readonly [what: string, file: string]>> = {
  figures: ['all figures in one table (WORDPRESS_URL: checks of that site)', 'figures.ts'],
  fuzz: ['fuzz checks: time for each case, and memory', 'fuzz.ts'],
  schemathesis: ['the fuzz checks beside Schemathesis, which is installed for it', 'schemathesis.ts'],
};

/** Installs a program from another language's registry, unless SCHEMATHESIS names one. */
const INSTALLING = 'schemathesis';

const program = new Command()
  .name('npm run bench --')
  .description(
    'Measures, and ends with exit code 1 where a bound is missed. Nothing is written below the tree.',
  )
  .argument('[name]', `one of ${Object.keys(BENCHMARKS).join(', ')}; all of them unless given`)
  .option('--small', 'seconds for each: shows that it runs, and that its bounds hold')
  .addHelpText(
    'after',
    `\n${Object.entries(BENCHMARKS)
      .map(([name, [what]]) => `  ${name.padEnd(14)}${what}\n`)
      .join('')}`,
  )
  .parse();
const { small = false } = program.opts<{ small?: boolean }>();
const [chosen] = program.args;
if (chosen !== undefined && !Object.hasOwn(BENCHMARKS, chosen))
  program.error(`there is no benchmark "${chosen}": ${Object.keys(BENCHMARKS).join(', ')}`);

const failed: string[] = [];
for (const [name, [what, file]] of Object.entries(BENCHMARKS)) {
  if (chosen !== undefined && name !== chosen) continue;
  if (chosen === undefined && name === INSTALLING && process.env.SCHEMATHESIS === undefined) {
    console.log(
      `\n${name}: left out, because it installs a program; name it, or its program in SCHEMATHESIS`,
    );
    continue;
  }
  console.log(`\n${name}: ${what}\n`);
  // Each in its own process, so that memory is not counted twice.
  const own = [join(import.meta.dirname, file), ...(small ? ['--small'] : [])];
  const child = spawn(process.execPath, own, { stdio: 'inherit' });
  const [code]: unknown[] = await once(child, 'exit');
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
