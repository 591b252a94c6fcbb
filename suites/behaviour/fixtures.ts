import type { Operation } from '../../specs/model.ts';
import { encodePart } from '../../target/address.ts';
import { member } from '../../target/json.ts';
import type { Session } from '../session.ts';
import type { Args } from './call.ts';
import { goodArgument } from './good-argument.ts';

/** The path of a call, or why there is none. */
export type FilledRoute = { readonly route: string } | { readonly reason: string };

const CAPTURE = /\{(\w+)\}/g;
const MOST_PARENTS = 10;
const SAMPLE_BY_KIND: readonly string[] = ['sample', '7'];

/**
 * Fills the captures of a route with what the site has: ids of its own records, or sample words where a capture names
 * no record of the contract.
 */
export async function fillRoute(session: Session, operation: Operation): Promise<FilledRoute> {
  const { route } = operation;
  if (route.captures.length === 0) return { route: route.wire };
  const found = await captureValues(session, operation);
  if ('reason' in found) return found;
  return {
    route: route.wire.replaceAll(CAPTURE, (_, name: string) =>
      encodePart(found.values.get(name) ?? 'sample'),
    ),
  };
}

/** Capture values by name, or why there are none. */
type CaptureValues = { readonly values: ReadonlyMap<string, string> } | { readonly reason: string };

async function captureValues(session: Session, operation: Operation): Promise<CaptureValues> {
  const { route } = operation;
  const collection = /^\/cms\/v2\/(posts|pages|media)\//.exec(route.path)?.[1];
  if (collection === undefined) return { values: samples(operation) };
  const child = /\/(revisions|autosaves)\/\{id\}$/.exec(route.path)?.[1];
  if (child !== undefined) return childOf(session, collection, child);
  const list = /\/(revisions|autosaves)$/.exec(route.path)?.[1];
  if (list !== undefined && operation.effect === 'reads') {
    const parent = await childOf(session, collection, list);
    if ('values' in parent)
      return { values: new Map(route.captures.map(({ name }) => [name, parent.values.get('parent') ?? ''])) };
  }
  const id = await firstId(session, collection);
  if (id === undefined) return { reason: `the site shows no ${collection} to this caller` };
  return { values: new Map(route.captures.map(({ name }) => [name, String(id)])) };
}

function samples(operation: Operation): Map<string, string> {
  return new Map(
    operation.route.captures.map(({ name, kind }): [string, string] => {
      const stated = operation.parameters.find((parameter) => parameter.name === name)?.schema.enum?.[0];
      const fitting = SAMPLE_BY_KIND.find(
        (text) => kind === undefined || new RegExp(`^${kind.pattern}$`).test(text),
      );
      return [name, stated === undefined ? (fitting ?? 'sample') : String(stated)];
    }),
  );
}

/** The id of the first record that a list shows; undefined when it shows none. @param collection posts, pages or media */
export async function firstId(session: Session, collection: string): Promise<number | undefined> {
  const list = session.operation(`${collection}.list`);
  if (list === undefined) return undefined;
  const answer = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
  return idsOf(answer.json)[0];
}

function idsOf(json: unknown): number[] {
  if (!Array.isArray(json)) return [];
  return json.map((one: unknown) => member(one, 'id')).filter((id) => typeof id === 'number');
}

/** The records changed last: those are the ones that have revisions and autosaves. */
async function lastChanged(session: Session, collection: string): Promise<number[]> {
  const list = session.operation(`${collection}.list`);
  if (list === undefined) return [];
  const query = [
    ['orderby', 'modified'],
    ['per_page', String(MOST_PARENTS)],
  ] as const;
  const answer = await session.ask({ method: 'GET', route: list.route.wire, query, as: session.caller });
  return idsOf(answer.json);
}

/** Children that a list of them must hold, so that what its arguments do can show. */
const TELLING_CHILDREN = 2;

/** A parent with revisions or autosaves, preferably with several, and the id of the first of those. */
async function childOf(session: Session, collection: string, child: string): Promise<CaptureValues> {
  return session.once(`child ${collection} ${child}`, async () => {
    const list = session.operation(`${collection}.list`);
    const own = session.operation(`${collection.replace(/s$/, '')}-${child}.list`);
    // What a site does without these is checked elsewhere, and must not hide the children here.
    const query = [['page', '1'] as const, ['per_page', '10'] as const].filter(([name]) =>
      own?.parameters.some((one) => one.name === name),
    );
    let found: Map<string, string> | undefined;
    for (const parent of await lastChanged(session, collection)) {
      const answer = await session.ask({
        method: 'GET',
        route: `${list?.route.wire ?? ''}/${parent}/${child}`,
        query,
        as: session.caller,
      });
      if (answer.answer === 'denied') return { reason: `${child} are denied to this caller` };
      const [id, ...others] = idsOf(answer.json);
      if (id === undefined) continue;
      const values = new Map([
        ['parent', String(parent)],
        ['id', String(id)],
      ]);
      found ??= values;
      if (others.length + 1 >= TELLING_CHILDREN) return { values };
    }
    return found === undefined
      ? { reason: `the ${collection} changed last have no ${child}` }
      : { values: found };
  });
}

/**
 * The required arguments of an operation, each with a good value of its own: what every request of a probe shares.
 */
export async function baseArgs(session: Session, operation: Operation): Promise<Args> {
  const args: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (parameter.required !== true || parameter.in === 'path') continue;
    args[parameter.wire] =
      operation.id.startsWith('oembed.') && parameter.name === 'url'
        ? await postLink(session)
        : goodArgument(operation, parameter);
  }
  return args;
}

/** The address of a record that the site can embed; its home page when it shows none. */
async function postLink(session: Session): Promise<string> {
  const list = session.operation('posts.list');
  const answer = list && (await session.ask({ method: 'GET', route: list.route.wire, as: session.caller }));
  const link = Array.isArray(answer?.json) ? member(answer.json[0], 'link') : undefined;
  const home = member(session.index.document, 'home');
  return typeof link === 'string' ? link : typeof home === 'string' ? home : session.client.base.href;
}
