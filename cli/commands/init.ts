import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readBase, showBase } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import { defined, member } from '../../client/json.ts';
import { findIndex, strings } from '../../client/site-index.ts';
import { looksLike } from '../../compare/declared/known-versions.ts';
import { surfaceOf } from '../../compare/declared/surface.ts';
import {
  DEPLOYMENT,
  type FilePlan,
  OPERATIONS,
  planFile,
  textOf,
  workingFiles,
} from '../../probing/published/working-folder.ts';
import { note, print, say } from '../../reports/print.ts';
import { UsageError } from '../../specs/validators.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { type ConfigFile, DEFAULT_FILE, loadConfig } from '../config.ts';
import { type Settings, wholeNumber } from '../options.ts';
import { type CommandContext, optionFor } from '../read-options.ts';
import { resolveTargets } from '../run/configure.ts';
import { writeOutput } from '../shell/output.ts';
import { INSECURE } from '../shell/read-headers.ts';
import { describeInit, describePlans, readSite } from './init-site.ts';

const MOST_SCHEMAS = 500;

/** Adds the command `init`. */
export default function defineInit(program: Command, { ends }: CommandContext): void {
  program
    .command('init')
    .description('make a configuration and a contract from what a site publishes; only reads')
    .option('--target <url>', 'the address of a site; unless given, that of the working folder')
    .addOption(optionFor('user'))
    .addOption(optionFor('header'))
    .addOption(optionFor('insecure'))
    .option('--contract <file...>', 'built-in operation files that stay the measure against the site, or all')
    .option('--schemas <n>', 'how many routes are asked for their schema', wholeNumber(0, 100_000))
    .option('--yes', 'write what the site has changed since the last time')
    .option('--check', 'write nothing; exit code 1 where something would be written')
    .option('--out <dir>', 'the working folder', '.')
    .action(async (options) => ends(await initCommand(options)));
}

interface InitOptions extends Pick<Settings, 'target' | 'user' | 'header' | 'insecure'> {
  readonly out: string;
  readonly schemas?: number;
  readonly contract?: readonly string[];
  readonly yes?: boolean;
  readonly check?: boolean;
}

/** @returns the exit code: 1 if something changed and was not written */
async function initCommand(options: InitOptions): Promise<number> {
  const target = targetOf(options);
  const { base } = target;
  const folder = openWorkingFolder(options.out, showBase(base));
  if (target.insecure === true) note(INSECURE);
  const { base: served, ...fetched } = await withClient(target, findIndex);
  if (showBase(served) !== showBase(base)) note(`the index is found below ${showBase(served)}`);
  // Before the rest, because a large index is not kept beside the files made from it.
  const guess = looksLike(surfaceOf(fetched.index.document, showBase(served)));
  const site = await withClient({ ...target, base: served }, (client) =>
    readSite(client, fetched, {
      most: options.schemas ?? MOST_SCHEMAS,
      held: options.contract ?? folder.contract,
      isGiven: options.contract !== undefined,
    }),
  );
  const files = workingFiles(site.composition, site.generated, site.difference, base.hostname);
  const plans = folder.plan(files, site.composition.vocabulary, target.user);
  print(process.stdout, describeInit(site, showBase(base)));
  if (guess !== undefined) say(`  looks like: ${guess}`);
  print(process.stdout, describePlans(plans, options.out));
  const changes = plans.filter(({ what }) => what !== 'same' && what !== 'kept');
  if (changes.length === 0) {
    if (options.check !== true) folder.keepOriginals(files);
    return 0;
  }
  const isFirst = changes.every(({ what }) => what === 'new');
  if (options.check === true || (!isFirst && options.yes !== true)) {
    say(`nothing is written: ${options.check === true ? '--check' : 'add --yes to write it'}`);
    return 1;
  }
  folder.write(plans, files);
  return 0;
}

function targetOf({ out, target, user, header, insecure }: InitOptions): RunConfig {
  const config = configIn(out);
  const named = target && nameOf(target, config);
  const given = defined({ mode: 'read' as const, target: named, user, header, insecure });
  const [resolved] = (named ?? config.target) === undefined ? [] : resolveTargets(given, config, process.env);
  if (resolved !== undefined) return resolved;
  throw new UsageError(
    '--target: the address of a site is missing, and no configuration in the folder names one',
  );
}

/** The name of an address in a configuration; otherwise the address itself. */
function nameOf(target: string, { targets = {} }: ConfigFile): string {
  if (!target.includes('://')) return target;
  const url = showBase(readBase(target));
  return Object.keys(targets).find((name) => targets[name]?.url === url) ?? target;
}

async function withClient<T>(options: ClientOptions, use: (client: Client) => Promise<T>): Promise<T> {
  await using client = new Client(options);
  return await use(client);
}

function configIn(out: string): ConfigFile {
  const path = join(resolve(out), DEFAULT_FILE);
  return existsSync(path) ? loadConfig(path) : {};
}

/** Holds the generated files as they were, so that the next time shows who changed what. */
const ORIGINALS = '.site-conformance/generated';

type WorkingFiles = ReturnType<typeof workingFiles>;

/** Opens a folder for the contract of a site, without creating it. @throws UsageError for that of another site */
function openWorkingFolder(out: string, url: string) {
  if (out === '') throw new UsageError('--out: the name of a folder is missing');
  const root = resolve(out);
  const config = configIn(out);
  const known = Object.entries(config.targets ?? {});
  const same = known.find(([, target]) => target.url === url);
  if (same === undefined && known.length > 0 && existsSync(join(root, DEPLOYMENT))) {
    throw new UsageError(
      `--out ${out}: the contract there is of ${known.map(([, target]) => target.url).join(', ')}; name another folder, or add a target with the address ${url} to ${DEFAULT_FILE}`,
    );
  }
  const read = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;

  return {
    contract: contractIn(read(DEPLOYMENT)),
    plan(files: WorkingFiles, vocabulary: string, user: string | undefined): FilePlan[] {
      const earlier = listFiles(join(root, ORIGINALS));
      const plans = [...new Set([...files.keys(), ...earlier])].map((path) => {
        const own = read(path);
        const base = read(join(ORIGINALS, path));
        if (own !== undefined && base === undefined && own !== files.get(path))
          throw new UsageError(
            `--out ${out}: ${path} is there already, and no init has made it; name another folder, or move it away`,
          );
        return plannedFile({ path, base, own, site: files.get(path) }, out);
      });
      if (same !== undefined) return plans;
      const name = targetNameOf(url);
      const target = defined({ url, deployment: DEPLOYMENT, vocabulary, mode: 'read' as const, user });
      const text = textOf({ target: name, ...config, targets: { ...config.targets, [name]: target } });
      return [{ path: DEFAULT_FILE, what: 'new', text, diff: '', conflicts: [] }, ...plans];
    },
    write(plans: readonly FilePlan[], files: WorkingFiles): void {
      for (const { path, what, text } of plans) {
        if (what === 'removed') rmSync(join(root, path), { force: true });
        else if (text !== undefined) writeOutput(join(root, path), text, `--out ${out}: `);
      }
      this.keepOriginals(files);
    },
    keepOriginals(files: WorkingFiles): void {
      for (const path of listFiles(join(root, ORIGINALS))) {
        if (!files.has(path)) rmSync(join(root, ORIGINALS, path), { force: true });
      }
      for (const [path, text] of files) {
        if (read(join(ORIGINALS, path)) !== text)
          writeOutput(join(root, ORIGINALS, path), text, `--out ${out}: `);
      }
    },
  };
}

function plannedFile(versions: Parameters<typeof planFile>[0], out: string): FilePlan {
  try {
    return planFile(versions);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--out ${out}: ${versions.path} is not JSON; correct it, or remove it`);
  }
}

/** A name as `--target` takes it: the port distinguishes sites of one host. */
function targetNameOf(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname.replaceAll(/[^a-z0-9.-]+/gi, '-').replaceAll(/^-+|-+$/g, '');
  return port === '' ? host : `${host}-${port}`;
}

/** Invalid JSON is reported later, where the files are merged. */
function contractIn(text: string | undefined): string[] {
  try {
    return strings(member(JSON.parse(text ?? '{}'), 'contract'));
  } catch {
    return [];
  }
}

function listFiles(folder: string): string[] {
  const inside = existsSync(join(folder, OPERATIONS)) ? readdirSync(join(folder, OPERATIONS)) : [];
  const files = inside.filter((name) => name.endsWith('.json')).map((name) => `${OPERATIONS}/${name}`);
  return [...(existsSync(join(folder, DEPLOYMENT)) ? [DEPLOYMENT] : []), ...files.sort()];
}
