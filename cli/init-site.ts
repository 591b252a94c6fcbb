import { showBase } from '../client/address.ts';
import type { Client } from '../client/client.ts';
import { asObject, member } from '../client/json.ts';
import { redactJson } from '../client/redact.ts';
import { type FetchedIndex, readIndex, type SiteIndex, type SiteRoute } from '../client/site-index.ts';
import { exampleAddress } from '../probing/declarations/patterns.ts';
import type { Difference } from '../probing/published/amendments.ts';
import { type Composition, composeFor, deploymentOf } from '../probing/published/compose.ts';
import { type Generated, generateFiles } from '../probing/published/generate.ts';
import { composeContract } from '../specs/contract.ts';
import { differenceOf, type HeldFiles } from './init-difference.ts';

/** What a site publishes, as a contract. */
export interface ReadSite {
  readonly composition: Composition;
  readonly generated: Generated;
  /** How it differs from the built-in files. */
  readonly difference: Difference;
  /** How many routes were asked for the schema of their records, and how many more there are. */
  readonly asked: number;
  readonly unasked: number;
}

/**
 * Reads what a site publishes: its index, and the schemas of records that its routes answer to OPTIONS.
 * @param fetched the index
 * @param most how many routes are asked for schemas; the built-in files that stay the measure stand beside it
 * @throws TargetError when nothing can be concluded; UsageError for a built-in file that does not fit the site
 */
export async function readSite(
  client: Client,
  fetched: Pick<FetchedIndex, 'index' | 'text'>,
  { most, ...contract }: { readonly most: number } & HeldFiles,
): Promise<ReadSite> {
  const document = asObject(redactJson(fetched.index.document, client.redact)) ?? {};
  const index = readIndex(document, fetched.text);
  const composition = composeFor(index);
  const known = composeContract(deploymentOf(composition, 'known'), composition.vocabulary);
  const url = showBase(client.base);
  const difference = await differenceOf(index, composition, known, { url, ...contract });
  const first = generateFiles(index, known);
  const keys = routesWith(first, index);
  const wanted = keys.slice(0, most);
  const records = new Map<string, unknown>();
  await Promise.all(
    wanted.map(async (route) => {
      const path = exampleAddress(route.parts);
      const schema = path === undefined ? undefined : await schemaOf(client, path);
      if (schema !== undefined) records.set(route.key, schema);
    }),
  );
  const generated = generateFiles(index, known, records);
  return { composition, generated, difference, asked: wanted.length, unasked: keys.length - wanted.length };
}

/** The routes that answer reads and are in the files. */
function routesWith({ keys }: Generated, index: SiteIndex): SiteRoute[] {
  return index.routes.filter(
    ({ key, endpoints }) => keys.has(key) && endpoints.some(({ methods }) => methods.includes('GET')),
  );
}

async function schemaOf(client: Client, route: string): Promise<unknown> {
  const { answer, json } = await client.request({ method: 'OPTIONS', route, as: 'user' });
  return answer === 'accepted' ? redactJson(member(json, 'schema'), client.redact) : undefined;
}
