import { readBase, showBase } from '../client/address.ts';
import { Client, type ClientOptions } from '../client/client.ts';
import { findIndex } from '../client/site-index.ts';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { print } from '../reports/print.ts';
import { visibleLine } from '../reports/text.ts';
import { describeInit, describePlans } from './init-report.ts';
import { readSite } from './init-site.ts';
import { headersBeside } from './read-headers.ts';
import { UsageError } from './usage-error.ts';
import { warnInsecure } from './warn-insecure.ts';
import { openWorkingFolder } from './working-folder.ts';

const TIMEOUT_SECONDS = 30;
const CONCURRENCY = 4;
/** Routes that are asked for the schemas of their records unless the caller says how many. */
const MOST_SCHEMAS = 500;

/** The options of `init`. */
export interface InitOptions {
  readonly target: string;
  readonly out: string;
  readonly user?: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly schemas?: number;
  readonly yes?: boolean;
  readonly check?: boolean;
}

/**
 * The command `init`: a working folder with a configuration and a contract made of what a site publishes. A second time it
 * shows what the site has changed, and writes that with `--yes`; what the owner has changed stays. Reads only.
 * @param env where the password is
 * @returns the exit code: 1 where something has changed and was not written
 * @throws TargetError when the site tells nothing; UsageError for wrong options and a folder that belongs to another site
 */
export async function initCommand(options: InitOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const base = readBase(options.target);
  const headers = headersBeside(options.user, options.header);
  const password = env[PASSWORD_VARIABLE] ?? '';
  if (options.user !== undefined && password === '') {
    throw new UsageError(
      `--user ${options.user}: the password is expected in the environment variable ${PASSWORD_VARIABLE}`,
    );
  }
  const folder = openWorkingFolder(options.out, { url: showBase(base), host: base.hostname });
  const reach = {
    mode: 'read',
    ...(options.user !== undefined && { user: options.user, password }),
    headers,
    insecure: options.insecure,
    concurrency: CONCURRENCY,
    timeout: TIMEOUT_SECONDS,
  } as const;
  warnInsecure(options.insecure);
  const { base: served, ...fetched } = await withClient({ ...reach, base }, findIndex);
  if (showBase(served) !== showBase(base)) tell(`the index is found below ${showBase(served)}`);
  const site = await withClient({ ...reach, base: served }, (client) =>
    readSite(client, fetched, options.schemas ?? MOST_SCHEMAS),
  );
  const plans = folder.plan(site, options.user);
  print(process.stdout, describeInit(site, showBase(base)));
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
