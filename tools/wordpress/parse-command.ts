import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommanderError, InvalidArgumentError, Command as Program } from 'commander';
import { type CoreVersion, coreVersions } from './check-requirements.ts';
import { UserError } from './site-context.ts';

interface PostType {
  name: string;
  restBase: string;
}

/** Possible names of a post type: lower-case words, short enough for the database column. */
const REST_BASE = /^[a-z][a-z0-9_-]{1,18}$/;

/** The post type with records at `restBase`. Its name is the singular. */
function postTypeOf(restBase: string): PostType {
  return { name: restBase.replace(/s$/, ''), restBase };
}

/** A plugin that registers a post type with all that posts have except terms, formats and stickiness. */
function renderPostType({ name, restBase }: PostType): string {
  return `<?php
add_action(
	'init',
	function () {
		register_post_type(
			'${name}',
			array(
				'label'        => '${restBase}',
				'public'       => true,
				'show_in_rest' => true,
				'rest_base'    => '${restBase}',
				'supports'     => array( 'title', 'editor', 'author', 'excerpt', 'thumbnail', 'revisions', 'custom-fields', 'comments' ),
			)
		);
	}
);
`;
}

/** Installs the plugin of a post type. */
export async function installPostType(site: string, postType: PostType): Promise<void> {
  const folder = join(site, 'wp-content', 'mu-plugins');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `post-type-${postType.name}.php`), renderPostType(postType));
}

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
  postType?: PostType;
  /** As installed, without further content. */
  fresh?: true;
  /** The path of a PHP file to use as a plugin. */
  plugin?: string;
  /** A theme of 7.1.1 instead of the one of the version. */
  theme?: string;
}

/** Parses arguments. Those after the first `--` belong to the command of `exec`. @throws UserError */
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
      throw new UserError(`${error.message}\n${program.helpInformation()}`);
    }
  }
  if (program.opts().list === true) return { name: 'list' };
  return parsed ?? { name: 'help', usage: helpOf(program) };
}

function ofSite(command: Program): Program {
  return command
    .option('--version <version>', 'the version of WordPress, see --list', readVersion, '7.1.1')
    .option('--port <n>', 'its port; any free one unless given', readPort)
    .option('--post-type <word>', 'a further post type, such as books', readPostType)
    .option('--plugin <file>', 'a PHP file to use as a plugin', readPlugin)
    .option('--theme <name>', 'a theme of 7.1.1', readTheme)
    .option('--fresh', 'as installed, without further content')
    .option('--state <file>', 'its state file');
}

function helpOf(program: Program): string {
  return [program, ...program.commands].map((one) => one.helpInformation()).join('\n');
}

function readVersion(name: string): CoreVersion {
  const version = coreVersions.find(
    (version) => version === name || version.replace(/[.-][^.-]+$/, '') === name,
  );
  if (version !== undefined) return version;
  throw new InvalidArgumentError(`Expected one of ${coreVersions.join(', ')}.`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port;
  throw new InvalidArgumentError('Expected a number from 1 to 65535.');
}

function readPostType(restBase: string): PostType {
  if (REST_BASE.test(restBase)) return postTypeOf(restBase);
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
