import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { member } from '../../client/json.ts';
import { strings } from '../../client/site-index.ts';
import { type FilePlan, planFile, textOf } from '../../probing/published/plan-files.ts';
import { DEPLOYMENT, OPERATIONS, ORIGINALS, workingFiles } from '../../probing/published/working-folder.ts';
import { writeAtomically } from '../../reports/files.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import { UsageError } from '../shell/errors.ts';
import type { ReadSite } from './init-site.ts';

const CONFIG = 'site-conformance.config.json';

/** A folder with a configuration and the contract of one site. */
interface WorkingFolder {
  /** The built-in operation files that stay the measure, as the deployment in it says. */
  readonly contract: readonly string[];
  /** What writing the contract of a site would do to each file. */
  plan(site: ReadSite, user: string | undefined): FilePlan[];
  /** Writes what was planned, and keeps how the files were made. */
  write(plans: readonly FilePlan[], site: ReadSite): void;
  /** Keeps how the files were made, for the next time. */
  keepOriginals(site: ReadSite): void;
}

/** The configuration in a folder. @throws UsageError where it is none */
export function configIn(out: string): ConfigFile {
  const path = join(resolve(out), CONFIG);
  return existsSync(path) ? loadConfig(path) : {};
}

/**
 * Opens a folder for the contract of a site; makes nothing yet.
 * @throws UsageError where it holds the contract of another site, or files that cannot be read
 */
export function openWorkingFolder(
  out: string,
  { url, host }: { readonly url: string; readonly host: string },
): WorkingFolder {
  if (out === '') throw new UsageError('--out: the name of a folder is missing');
  const root = resolve(out);
  const config = configIn(out);
  const known = Object.entries(config.targets ?? {});
  const same = known.find(([, target]) => target.url === url);
  if (same === undefined && known.length > 0 && existsSync(join(root, DEPLOYMENT))) {
    throw new UsageError(
      `--out ${out}: the contract there is of ${known.map(([, target]) => target.url).join(', ')}; name another folder, or add a target with the address ${url} to ${CONFIG}`,
    );
  }
  const read = (path: string): string | undefined => readText(join(root, path));
  const made = (site: ReadSite): Map<string, string> =>
    workingFiles(site.composition, site.generated, site.difference, host);

  return {
    contract: contractIn(read(DEPLOYMENT)),
    plan(site, user) {
      const files = made(site);
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
      const text = textOf(withTarget(config, nameOf(url), { url, user, site }));
      return [{ path: CONFIG, what: 'new', text, diff: '', conflicts: [] }, ...plans];
    },
    write(plans, site) {
      for (const { path, what, text } of plans) {
        if (what === 'removed') rmSync(join(root, path), { force: true });
        else if (text !== undefined) writeFile(join(root, path), text, out);
      }
      this.keepOriginals(site);
    },
    keepOriginals(site) {
      const files = made(site);
      for (const path of listFiles(join(root, ORIGINALS))) {
        if (!files.has(path)) rmSync(join(root, ORIGINALS, path), { force: true });
      }
      for (const [path, text] of files) {
        if (read(join(ORIGINALS, path)) !== text) writeFile(join(root, ORIGINALS, path), text, out);
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

/** A configuration with one more target, whose settings a run takes without further options. */
function withTarget(
  config: ConfigFile,
  name: string,
  { url, user, site }: { url: string; user: string | undefined; site: ReadSite },
): ConfigFile {
  const target = {
    url,
    deployment: DEPLOYMENT,
    vocabulary: site.composition.vocabulary.name,
    mode: 'read',
    ...(user !== undefined && { user }),
  } as const;
  return { target: name, ...config, targets: { ...config.targets, [name]: target } };
}

/** A name as `--target` takes it: the port tells sites of one host apart. */
function nameOf(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname.replaceAll(/[^a-z0-9.-]+/gi, '-').replaceAll(/^-+|-+$/g, '');
  return port === '' ? host : `${host}-${port}`;
}

/** What is no JSON is reported where the files are merged. */
function contractIn(text: string | undefined): string[] {
  try {
    return strings(member(JSON.parse(text ?? '{}'), 'contract'));
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The files of a folder with the paths that they have in it. */
function listFiles(folder: string): string[] {
  const inside = existsSync(join(folder, OPERATIONS)) ? readdirSync(join(folder, OPERATIONS)) : [];
  const files = inside.filter((name) => name.endsWith('.json')).map((name) => `${OPERATIONS}/${name}`);
  return [...(existsSync(join(folder, DEPLOYMENT)) ? [DEPLOYMENT] : []), ...files.sort()];
}

function writeFile(path: string, text: string, out: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--out ${out}: ${path} cannot be written (${why})`);
  }
}
