import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../cli/options.ts';
import { UsageError } from '../specs/validators.ts';
import { type CoreVersion, coreVersions, type WantedSite } from './wordpress/prepare-site.ts';
import { runProgram } from './wordpress/run-command.ts';
import { startSite } from './wordpress/start-site.ts';

// Starts a real WordPress on loopback, runs a command against it, and removes it.

const interruption = new AbortController();
const { signal } = interruption;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort(name));

const program: Command = new Command('npm run wordpress --')
  .option('--list', 'list the versions')
  .enablePositionalOptions()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(({ list }) => (list === true ? console.log(coreVersions.join('\n')) : program.help()))
  .addHelpText('after', () => `\n${exec.helpInformation()}`);
const exec: Command = program
  .command('exec')
  .description('start a site for one command, then remove it')
  .argument('<command>', 'the command, after --')
  .argument('[args...]', 'its arguments')
  .passThroughOptions()
  .option('--version <version>', 'the version of WordPress, see --list', readVersion, '7.1.1' as const)
  .option('--port <n>', 'its port; any free one unless given', wholeNumber(1, 65535))
  .option('--post-type <word>', 'a further post type, such as books', readPostType)
  .option('--plugin <file>', 'a PHP file to use as a plugin', readPlugin)
  .option('--theme <name>', 'a theme of 7.1.1', readTheme)
  .option('--fresh', 'as installed, without further content')
  .action(execute);

async function execute(command: string, args: readonly string[], wanted: WantedSite): Promise<void> {
  const context = { cache: cacheFolder(), report: (line: string) => console.error(line), signal };
  await using site = await startSite(context, wanted);
  process.exitCode = await runProgram(command, args, site, signal);
}

try {
  await program.parseAsync();
} catch (error) {
  if (signal.aborted) {
    const name: NodeJS.Signals = signal.reason;
    console.error(`interrupted by ${name}`);
    process.exitCode = 128 + constants.signals[name];
  } else {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** A version by its whole name, or without its last part. */
function readVersion(name: string): CoreVersion {
  const version = coreVersions.find((one) => one === name || one.replace(/[.-][^.-]+$/, '') === name);
  if (version !== undefined) return version;
  throw new InvalidArgumentError(`Expected one of ${coreVersions.join(', ')}.`);
}

function readPostType(restBase: string): string {
  if (/^[a-z][a-z0-9_-]{1,18}$/.test(restBase)) return restBase;
  throw new InvalidArgumentError('Expected a short word of lower-case letters such as books.');
}

function readPlugin(path: string): string {
  if (path.endsWith('.php') && existsSync(path)) return path;
  throw new InvalidArgumentError('Expected a PHP file that exists.');
}

function readTheme(name: string): string {
  if (/^[a-z]+$/.test(name)) return name;
  throw new InvalidArgumentError('Expected the name of a theme such as twentytwentythree.');
}

/** The folder for downloads: `SITE_CONFORMANCE_CACHE`, otherwise `.cache` in the repository. */
function cacheFolder(): string {
  const { SITE_CONFORMANCE_CACHE: chosen } = process.env;
  return chosen ? resolve(chosen) : join(import.meta.dirname, '../.cache');
}
