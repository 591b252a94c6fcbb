import { existsSync } from 'node:fs';
import { CommanderError, InvalidArgumentError, Command as Program } from 'commander';
import { wholeNumber } from '../../cli/options.ts';
import { UsageError } from '../../specs/validators.ts';
import { type CoreVersion, coreVersions } from './check-requirements.ts';

/** The command of the caller. `state` is a path; without `port`, any free one is used. */
export type Command =
  | { name: 'help'; usage: string }
  | { name: 'list' }
  | ({ name: 'start' } & WantedSite)
  | { name: 'stop'; state?: string }
  | ({ name: 'exec'; command: string; args: string[] } & WantedSite);

/** The site to start. */
export interface WantedSite {
  version: CoreVersion;
  port?: number;
  state?: string;
  /** The last part of the route of a further post type, such as `books`. */
  postType?: string;
  /** As installed, without further content. */
  fresh?: true;
  /** The path of a PHP file to use as a plugin. */
  plugin?: string;
  /** A theme of 7.1.1 instead of the one of the version. */
  theme?: string;
}

/** Parses arguments. Those after the first `--` belong to the command of `exec`. @throws UsageError */
export function parseCommand(argv: readonly string[]): Command {
  let parsed: Command | undefined;
  const program = new Program('npm run wordpress --')
    .option('--list', 'list the versions')
    .enablePositionalOptions()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .exitOverride();
  ofSite(program.command('start').description('start a site')).action((site: WantedSite) => {
    parsed = { name: 'start', ...site };
  });
  program
    .command('stop')
    .description('stop a site, and remove it')
    .option('--state <file>', 'its state file')
    .action((site: { state?: string }) => {
      parsed = { name: 'stop', ...site };
    });
  ofSite(program.command('exec').description('start a site for one command, then stop it'))
    .argument('<command>', 'the command, after --')
    .argument('[args...]', 'its arguments')
    .passThroughOptions()
    .action((command: string, args: string[], site: WantedSite) => {
      parsed = { name: 'exec', command, args, ...site };
    });
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!error.code.startsWith('commander.help')) {
      throw new UsageError(`${error.message}\n${program.helpInformation()}`);
    }
  }
  if (program.opts().list === true) return { name: 'list' };
  const commands = [program, ...program.commands];
  return parsed ?? { name: 'help', usage: commands.map((one) => one.helpInformation()).join('\n') };
}

function ofSite(command: Program): Program {
  return command
    .option('--version <version>', 'the version of WordPress, see --list', readVersion, '7.1.1')
    .option('--port <n>', 'its port; any free one unless given', wholeNumber(1, 65535))
    .option('--post-type <word>', 'a further post type, such as books', readPostType)
    .option('--plugin <file>', 'a PHP file to use as a plugin', readPlugin)
    .option('--theme <name>', 'a theme of 7.1.1', readTheme)
    .option('--fresh', 'as installed, without further content')
    .option('--state <file>', 'its state file');
}

function readVersion(name: string): CoreVersion {
  const version = coreVersions.find(
    (version) => version === name || version.replace(/[.-][^.-]+$/, '') === name,
  );
  if (version !== undefined) return version;
  throw new InvalidArgumentError(`Expected one of ${coreVersions.join(', ')}.`);
}

/** Lower-case words, short enough for the database column. */
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
