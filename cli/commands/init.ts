import type { Command } from 'commander';
import { readBase, showBase } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import { findIndex } from '../../client/site-index.ts';
import { looksLike, surfaceOf } from '../../compare/surface.ts';
import { visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import type { RunConfig } from '../../suites/run.ts';
import type { ConfigFile } from '../config.ts';
import { wholeNumber } from '../options.ts';
import { optionFor } from '../read-options.ts';
import { resolveTargets } from '../run/configure.ts';
import { UsageError } from '../shell/errors.ts';
import { warnInsecure } from '../shell/read-headers.ts';
import type { CommandContext } from './context.ts';
import { describeInit, describePlans, readSite } from './init-site.ts';
import { configIn, openWorkingFolder } from './working-folder.ts';

/** Routes that are asked for the schemas of their records unless the caller says how many. */
const MOST_SCHEMAS = 500;

/** Adds the command `init`. */
export function defineInit(program: Command, { ends }: CommandContext): void {
  program
    .command('init')
    .description('make a configuration and a contract of what a site publishes; reads only')
    .option(
      '--target <url>',
      'the base address of a site; unless given, the one that the working folder is of',
    )
    .addOption(optionFor('user'))
    .addOption(optionFor('header'))
    .addOption(optionFor('insecure'))
    .option(
      '--contract <file...>',
      'built-in operation files that stay the measure where the site publishes otherwise, or all',
    )
    .option(
      '--schemas <n>',
      'how many routes are asked for the schema of their records',
      wholeNumber(0, 100_000),
    )
    .option('--yes', 'write what the site has changed since the last time')
    .option('--check', 'write nothing; exit code 1 where something would be written')
    .option('--out <dir>', 'the working folder', '.')
    .action(async (options) => ends(await initCommand(options, process.env)));
}

/** The options of `init`. */
interface InitOptions {
  readonly target?: string;
  readonly out: string;
  readonly user?: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly schemas?: number;
  /** Built-in operation files that stay the measure, whatever the site publishes. */
  readonly contract?: readonly string[];
  readonly yes?: boolean;
  readonly check?: boolean;
}

/**
 * The command `init`: a working folder with a configuration and a contract made of what a site publishes. A second time it
 * shows what the site has changed, and writes that with `--yes`; what the owner has changed stays. It reaches the site as
 * the configuration in the folder says, and reads only.
 * @param env where the password is
 * @returns the exit code: 1 where something has changed and was not written
 * @throws TargetError when the site tells nothing; UsageError for wrong options and a folder that belongs to another site
 */
async function initCommand(options: InitOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const target = targetOf(options, env);
  const { base } = target;
  const folder = openWorkingFolder(options.out, { url: showBase(base), host: base.hostname });
  warnInsecure(target.insecure);
  const { base: served, ...fetched } = await withClient(target, findIndex);
  if (showBase(served) !== showBase(base)) tell(`the index is found below ${showBase(served)}`);
  const site = await withClient({ ...target, base: served }, (client) =>
    readSite(client, fetched, {
      most: options.schemas ?? MOST_SCHEMAS,
      held: options.contract ?? folder.contract,
      isGiven: options.contract !== undefined,
    }),
  );
  const plans = folder.plan(site, target.user);
  print(process.stdout, describeInit(site, showBase(base)));
  const guess = looksLike(surfaceOf(fetched.index.document, showBase(served)));
  if (guess !== undefined) print(process.stdout, `  looks like: ${visibleLine(guess)}\n`);
  print(process.stdout, describePlans(plans, options.out));
  const changes = plans.filter(({ what }) => what !== 'same' && what !== 'kept');
  if (changes.length === 0) {
    if (options.check !== true) folder.keepOriginals(site);
    return 0;
  }
  const isFirst = changes.every(({ what }) => what === 'new');
  if (options.check === true || (!isFirst && options.yes !== true)) {
    print(
      process.stdout,
      `nothing is written: ${options.check === true ? '--check' : 'add --yes to write it'}\n`,
    );
    return 1;
  }
  folder.write(plans, site);
  return 0;
}

/** The site, and how it is reached: what is not given is as the configuration in the folder says. */
function targetOf({ out, target, user, header, insecure }: InitOptions, env: NodeJS.ProcessEnv): RunConfig {
  const config = configIn(out);
  const given = {
    mode: 'read' as const,
    ...(target !== undefined && { target: nameOf(target, config) }),
    ...(user !== undefined && { user }),
    ...(header !== undefined && { header }),
    ...(insecure !== undefined && { insecure }),
  };
  if ((given.target ?? config.target) === undefined)
    throw new UsageError(
      '--target: the address of a site is missing, and no configuration in the folder names one',
    );
  const [resolved] = resolveTargets(given, config, env);
  if (resolved === undefined) throw new UsageError('--target: the address of a site is missing');
  return resolved;
}

/** The name under which a configuration knows an address; the address itself where it knows none. */
function nameOf(target: string, { targets = {} }: ConfigFile): string {
  if (!target.includes('://')) return target;
  const url = showBase(readBase(target));
  return Object.keys(targets).find((name) => targets[name]?.url === url) ?? target;
}

async function withClient<T>(options: ClientOptions, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

function tell(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}
