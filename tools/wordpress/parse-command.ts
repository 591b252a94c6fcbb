import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../engine/text.ts';
import { type CoreVersion, coreVersions } from './check-requirements.ts';
import { UserError } from './site-context.ts';

/** A further post type, named by the last part of its route. */
interface PostType {
  /** Such as `book`. */
  name: string;
  /** The last part of its route, such as `books`. */
  restBase: string;
}

/** Possible names of a post type: lower-case words, short enough for the database column. */
export const REST_BASE: RegExp = /^[a-z][a-z0-9_-]{1,18}$/;

/** The post type with records at `restBase`. Its name is the singular. */
export function postTypeOf(restBase: string): PostType {
  return { name: restBase.replace(/s$/, ''), restBase };
}

/**
 * A must-use plugin that registers a post type with everything that posts have except terms, formats and stickiness.
 */
export function renderPostType({ name, restBase }: PostType): string {
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
  | { name: 'help' }
  | { name: 'list' }
  | ({ name: 'start' } & WantedSite)
  | { name: 'stop'; state?: string }
  | ({ name: 'exec'; command: string; args: string[] } & WantedSite);

/** The site to start. */
export interface WantedSite {
  version: CoreVersion;
  port?: number;
  state?: string;
  /** A further post type. */
  postType?: PostType;
  /** As installed, without further content. */
  fresh?: true;
  /** The path of a PHP file to use as a plugin. */
  plugin?: string;
  /** A theme of 7.1.1 instead of the one of the version. */
  theme?: string;
}

export const usage: string = `Usage:
  wordpress --list
  wordpress start [--version VERSION] [--port N] [--post-type WORD] [--plugin FILE] [--theme NAME] [--fresh] [--state FILE]
  wordpress stop  [--state FILE]
  wordpress exec  [--version VERSION] [--port N] [--post-type WORD] [--plugin FILE] [--theme NAME] [--fresh] [--state FILE] -- COMMAND ARGS…
VERSION is one of ${coreVersions.join(', ')}; 6.5 is short for 6.5.5.`;

/**
 * Parses the arguments after the script's name. Those after the first `--` belong to the command of `exec`. Throws
 * UserError for an unknown action, option or value.
 */
export function parseCommand(argv: readonly string[]): Command {
  const split = argv.indexOf('--');
  const own = split < 0 ? argv : argv.slice(0, split);
  const [command, ...args] = split < 0 ? [] : argv.slice(split + 1);
  const { action, values } = parseOptions(own);
  if (values.list) return { name: 'list' };
  if (values.help || (action === undefined && command === undefined)) return { name: 'help' };

  const state = values.state === undefined ? {} : { state: values.state };
  if (action === 'stop') {
    const { version, port, 'post-type': postType, plugin, theme, fresh } = values;
    if ([command, version, port, postType, plugin, theme, fresh].some((one) => one !== undefined)) {
      throw new UserError(`stop takes --state only\n${usage}`);
    }
    return { name: 'stop', ...state };
  }
  const site = {
    version: readVersion(values.version),
    ...readPort(values.port),
    ...readPostType(values['post-type']),
    ...(values.fresh === true && { fresh: true as const }),
    ...readPlugin(values.plugin),
    ...readTheme(values.theme),
    ...state,
  };
  if (action === 'start') {
    if (command !== undefined) throw new UserError(`start takes no command; use exec to run one\n${usage}`);
    return { name: 'start', ...site };
  }
  if (action === 'exec') {
    if (command === undefined) throw new UserError(`exec needs a command after --\n${usage}`);
    return { name: 'exec', ...site, command, args };
  }
  throw new UserError(`unknown action: ${action ?? '(none)'}\n${usage}`);
}

interface Options {
  action: string | undefined;
  values: {
    help?: boolean;
    list?: boolean;
    version?: string;
    port?: string;
    'post-type'?: string;
    fresh?: boolean;
    plugin?: string;
    theme?: string;
    state?: string;
  };
}

function parseOptions(args: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        list: { type: 'boolean' },
        version: { type: 'string' },
        port: { type: 'string' },
        'post-type': { type: 'string' },
        fresh: { type: 'boolean' },
        plugin: { type: 'string' },
        theme: { type: 'string' },
        state: { type: 'string' },
      },
    });
    if (positionals.length > 1) throw new Error(`one action, not ${positionals.join(' ')}`);
    return { action: positionals[0], values };
  } catch (error) {
    throw new UserError(`${messageOf(error)}\n${usage}`);
  }
}

function readVersion(name: string | undefined): CoreVersion {
  if (name === undefined) return '7.1.1';
  const version = coreVersions.find(
    (version) => version === name || version.replace(/[.-][^.-]+$/, '') === name,
  );
  if (version !== undefined) return version;
  throw new UserError(`--version is one of ${coreVersions.join(', ')}, not ${name}`);
}

function readPort(text: string | undefined): { port?: number } {
  if (text === undefined) return {};
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
    throw new UserError(`--port is a number from 1 to 65535, not ${text}`);
  }
  return { port };
}

function readPostType(restBase: string | undefined): { postType?: PostType } {
  if (restBase === undefined) return {};
  if (REST_BASE.test(restBase)) return { postType: postTypeOf(restBase) };
  throw new UserError(`--post-type is a short word of lower-case letters such as books, not ${restBase}`);
}

function readPlugin(path: string | undefined): { plugin?: string } {
  if (path === undefined) return {};
  if (path.endsWith('.php') && existsSync(path)) return { plugin: path };
  throw new UserError(`--plugin is a PHP file that exists, not ${path}`);
}

function readTheme(name: string | undefined): { theme?: string } {
  if (name === undefined) return {};
  if (/^[a-z]+$/.test(name)) return { theme: name };
  throw new UserError(`--theme is the name of a theme such as twentytwentythree, not ${name}`);
}
