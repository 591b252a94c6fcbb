import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveMutant } from '../../../sites/alterations/catalogue.ts';
import type { Served } from '../../../sites/reference/serve.ts';
import { readRenaming, renamedSite } from '../../../sites/renamed-site.ts';
import { examplesIn } from '../../package/installed.ts';
import { freePort } from '../../wordpress/start-server.ts';
import { fencesIn } from './fences.ts';
import type { Page } from './pages.ts';

type Site = Pick<Served, 'url' | 'user' | 'password' | 'close'>;

/** What stands for the sites, users and files that a document speaks of. */
interface World {
  readonly folder: string;
  /** A text of the document with what is there in place of what it speaks of. */
  fill(text: string): string;
  /** What the environment of commands in such a text holds. */
  envOf(text: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const HOST = String.raw`(?:staging|site|www|blog|shop)\.example(?:\.org)?`;
/** A waiver that expires is no reason for a document to age. */
const DAYS_AHEAD = 30;

/**
 * Makes the sites and files that a page needs.
 * @param folder where its commands run
 * @param markdown the document, whose blocks of JSON are files
 */
export async function makeWorld(page: Page, folder: string, markdown: string): Promise<World> {
  const json = fencesIn(markdown).filter(({ language }) => language === 'json');
  const files = Object.entries(page.files ?? {});
  mkdirSync(folder, { recursive: true });
  for (const [name, at] of files) writeFileSync(join(folder, name), json[at]?.text ?? '');
  for (const { name, text } of examplesIn(markdown)) writeFileSync(join(folder, name), text);

  const { deployment, mutant = undefined } =
    typeof page.site === 'object' ? page.site : { deployment: 'core' };
  const site: Site = await serveMutant({
    deployment: deployment.endsWith('.json') ? join(folder, deployment) : deployment,
    ...(mutant !== undefined && { mutant }),
  });
  // A site of a page's own speaks no words but ours.
  const other =
    typeof page.site !== 'object' ? await renamedSite('core', readRenaming('wordpress')) : undefined;
  const port = await freePort();
  const day = new Date(Date.now() + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);

  const siteOf = (text: string): Site =>
    other !== undefined && (page.site !== undefined || text.includes('--vocabulary wordpress'))
      ? other
      : site;
  const fill = (text: string): string => {
    const { url, user, password } = siteOf(text);
    return (
      text
        .replaceAll(new RegExp(`https://${HOST}/?`, 'g'), url)
        .replaceAll(/http:\/\/127\.0\.0\.1:80\d\d/g, url)
        .replaceAll(/--port 80\d\d/g, `--port ${port}`)
        .replaceAll(/--user [\w-]+/g, `--user ${user}`)
        .replaceAll(/"user": "[^"]+"/g, `"user": "${user}"`)
        .replaceAll(/SITE_CONFORMANCE_PASSWORD=(?:'[^']*'|\w+)/g, `SITE_CONFORMANCE_PASSWORD='${password}'`)
        .replaceAll(new RegExp(`(--confirm-host |"confirmHost": ")${HOST}`, 'g'), '$1127.0.0.1')
        // What a level requires is asked by the tests of certificates; how one is made is the same for each.
        .replaceAll(/(--certify|--require) (?:read|write)/g, '$1 index')
        .replaceAll(/--expires \d{4}-\d\d-\d\d/g, `--expires ${day}`)
        .replaceAll(
          /(reports\/out\/)certificate-[\w…-]+/g,
          (_, out: string) => `${out}${certificateIn(folder)}`,
        )
        .replaceAll('--vocabulary wordpress', other === undefined ? '--vocabulary neutral' : '$&')
    );
  };
  for (const [name, at] of files) writeFileSync(join(folder, name), fill(json[at]?.text ?? ''));

  return {
    folder,
    fill,
    envOf(text) {
      const { url, password } = siteOf(text);
      const secrets = { SITE_CONFORMANCE_PASSWORD: password, SHOP_PASSWORD: password };
      return { HOME: folder, SITE: url, ...secrets, ...page.env };
    },
    async close() {
      await Promise.all([site.close(), other?.close()]);
    },
  };
}

/** The name of the certificate that a run has left. */
function certificateIn(folder: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (path) => /(?:^|\/)(certificate-[\w-]+)$/.exec(path)?.[1],
  );
  return found.findLast((name) => name !== undefined) ?? 'certificate-RUN';
}
