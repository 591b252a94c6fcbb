import { isTree } from '../../reference/calls.ts';
import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import type { Call } from '../../reference/site.ts';
import type { Mutant } from '../alteration.ts';
import { argsMutant, idOf, isGiven, ownResources, recordMutant, recordOf } from '../handling.ts';

/** Lists that change records if they get arguments besides the context, which no check sends for that purpose. */
export function shownMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap(ofResource);
}

function ofResource(resource: Resource): Mutant[] {
  const { id, fields, protects, operations, children } = resource;
  const list = idOf(resource, 'list');
  const taken = operations.list?.parameters.properties ?? {};
  if (!('context' in taken) || !('orderby' in taken)) return [];
  return [
    ...typeMutants(id, list),
    ...contextMutants(id, list).slice(0, isTree(resource) ? 1 : 2),
    ...sameMutants(id, list).slice('author' in fields ? 0 : 1),
    ...(protects ? [flagMutant(id, list)] : []),
    ...('ignore_sticky' in taken ? [stickyMutant(list)] : []),
    closedMutant(resource, list),
    ...children.flatMap((child) => parentMutant(child)),
  ];
}

function typeMutants(id: string, list: string): Mutant[] {
  const about = `records/${id}/every-answer/types`;
  return [
    inSome(
      `${about}~title-by-title`,
      `${list} sorted by title shows titles as texts`,
      list,
      ({ args }) => args.orderby === 'title',
      (record) => ({ ...record, title: isObject(record.title) ? (record.title.rendered ?? '') : '' }),
    ),
    inSome(
      `${about}~date-on-later-pages`,
      `${list} shows dates with a blank on its later pages`,
      list,
      isLater,
      (record) => ({ ...record, date: String(record.date).replace('T', ' ') }),
    ),
  ];
}

/** Later pages of a tree, which has few records here, are not requested in view. */
function contextMutants(id: string, list: string): Mutant[] {
  const about = `records/${id}/every-answer/contexts`;
  return [
    inSome(
      `${about}~raw-beside-offset`,
      `${list} shows raw titles in view beside an offset`,
      list,
      (call) => call.args.context === 'view' && isGiven(call, 'offset'),
      withRaw,
    ),
    inSome(
      `${about}~raw-on-later-pages`,
      `${list} shows raw titles in view on its later pages`,
      list,
      (call) => call.args.context === 'view' && isLater(call),
      withRaw,
    ),
  ];
}

function sameMutants(id: string, list: string): Mutant[] {
  const about = `records/${id}/every-answer/same`;
  return [
    inSome(
      `${about}~author-in-embed`,
      `${list} shows another author in embed`,
      list,
      ({ args }) => args.context === 'embed',
      (record) => ({ ...record, author: Number(record.author) + 1 }),
    ),
    inSome(
      `${about}~slug-on-later-pages`,
      `${list} shows other slugs on its later pages`,
      list,
      isLater,
      (record) => ({ ...record, slug: `${record.slug}-x` }),
    ),
  ];
}

function isLater({ args }: Call): boolean {
  return Number(args.page) > 1;
}

function parentMutant({ id, operations: { read } }: Resource): Mutant[] {
  if (read === undefined) return [];
  const title = `${read.id} shows the id of another parent`;
  return [
    recordMutant(`records/${id}/every-answer/ids~parent-alone`, title, [read.id], (record) => ({
      ...record,
      parent: Number(record.parent) + 1,
    })),
  ];
}

function inSome(
  id: string,
  title: string,
  list: string,
  when: (call: Call) => boolean,
  show: (record: JsonObject) => JsonObject,
): Mutant {
  return recordMutant(id, title, [list], (record, call) => (when(call) ? show(record) : record));
}

function withRaw(record: JsonObject): JsonObject {
  const title = isObject(record.title) ? record.title : {};
  return { ...record, title: { ...title, raw: title.rendered ?? '' } };
}

function flagMutant(id: string, list: string): Mutant {
  const title = `${list} shows no record as protected`;
  return recordMutant(`protected/${id}/every-answer~flag-in-lists`, title, [list], (record, call) => {
    const { content } = record;
    const isLocked = recordOf({ ...call, args: { id: record.id ?? 0 } })?.password !== '';
    return isObject(content) && isLocked ? { ...record, content: { ...content, protected: false } } : record;
  });
}

function stickyMutant(list: string): Mutant {
  const title = `${list} puts sticky records in front in embed`;
  return argsMutant(`${list}/every-answer~sticky-in-embed`, title, list, (args, call) =>
    args.context === 'embed' && !isGiven(call, 'ignore_sticky') ? { ...args, ignore_sticky: false } : args,
  );
}

function closedMutant({ statuses: { open } }: Resource, list: string): Mutant {
  const title = `${list} shows users private records in embed, by default`;
  return argsMutant(`${list}/every-answer~private-in-embed`, title, list, (args, call) =>
    args.context === 'embed' && call.request.account !== undefined && !isGiven(call, 'status')
      ? { ...args, status: [open, 'private'] }
      : args,
  );
}
