import { isTree } from '../../reference/calls.ts';
import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import type { Call } from '../../reference/site.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { idOf, isGiven, mutantsIn, mutantsOn, ownResources, recordOf } from '../handling.ts';

const inEmbed = ({ args }: Call): boolean => args.context === 'embed';
const inView = ({ args }: Call): boolean => args.context === 'view';
const isLater = ({ args }: Call): boolean => Number(args.page) > 1;

/** Lists that change records if they get arguments besides the context, which no check sends for that purpose. */
export function shownMutants(contract: Contract): Mutants {
  return ownResources(contract).map(ofResource);
}

function ofResource(resource: Resource): Mutants {
  const { id, fields, protects, operations, children } = resource;
  const taken = operations.list?.parameters.properties ?? {};
  if (!('context' in taken) || !('orderby' in taken)) return [];
  const { record } = mutantsOn(resource, 'list', `records/${id}/every-answer`);
  const inSome = (
    how: string,
    title: string,
    when: (call: Call) => boolean,
    show: (record: JsonObject) => JsonObject,
  ): Mutant => record(how, title, (one, call) => (when(call) ? show(one) : one));
  return [
    inSome(
      'types~title-by-title',
      'sorted by title shows titles as texts',
      ({ args }) => args.orderby === 'title',
      (one) => ({ ...one, title: isObject(one.title) ? (one.title.rendered ?? '') : '' }),
    ),
    inSome('types~date-on-later-pages', 'shows dates with a blank on its later pages', isLater, (one) => ({
      ...one,
      date: String(one.date).replace('T', ' '),
    })),
    inSome(
      'contexts~raw-beside-offset',
      'shows raw titles in view beside an offset',
      (call) => inView(call) && isGiven(call, 'offset'),
      withRaw,
    ),
    // Later pages of a tree, which has few records here, are not requested in view.
    !isTree(resource) &&
      inSome(
        'contexts~raw-on-later-pages',
        'shows raw titles in view on its later pages',
        (call) => inView(call) && isLater(call),
        withRaw,
      ),
    'author' in fields &&
      inSome('same~author-in-embed', 'shows another author in embed', inEmbed, (one) => ({
        ...one,
        author: Number(one.author) + 1,
      })),
    inSome('same~slug-on-later-pages', 'shows other slugs on its later pages', isLater, (one) => ({
      ...one,
      slug: `${one.slug}-x`,
    })),
    protects && flagMutant(resource),
    listingMutants(resource, 'ignore_sticky' in taken),
    children
      .flatMap((child) => child.operations.read ?? [])
      .map(({ id: read, resource: child }) =>
        mutantsIn(read, `records/${child?.id}/every-answer/ids`).record(
          '~parent-alone',
          'shows the id of another parent',
          (one) => ({ ...one, parent: Number(one.parent) + 1 }),
        ),
      ),
  ];
}

function withRaw(record: JsonObject): JsonObject {
  const title = isObject(record.title) ? record.title : {};
  return { ...record, title: { ...title, raw: title.rendered ?? '' } };
}

function flagMutant(resource: Resource): Mutant {
  const list = mutantsOn(resource, 'list', `protected/${resource.id}/every-answer`);
  return list.record('~flag-in-lists', 'shows no record as protected', (record, call) => {
    const { content } = record;
    const isLocked = recordOf({ ...call, args: { id: record.id ?? 0 } })?.password !== '';
    return isObject(content) && isLocked ? { ...record, content: { ...content, protected: false } } : record;
  });
}

function listingMutants(resource: Resource, hasSticky: boolean): Mutants {
  const list = mutantsOn(resource, 'list', `${idOf(resource, 'list')}/every-answer`);
  const sticky = list.args('~sticky-in-embed', 'puts sticky records in front in embed', (args, call) =>
    inEmbed(call) && !isGiven(call, 'ignore_sticky') ? { ...args, ignore_sticky: false } : args,
  );
  const closed = list.args(
    '~private-in-embed',
    'shows users private records in embed, by default',
    (args, call) =>
      inEmbed(call) && call.request.account !== undefined && !isGiven(call, 'status')
        ? { ...args, status: [resource.statuses.open, 'private'] }
        : args,
  );
  const short = list.args(
    '~short-for-others',
    'shows callers without credentials half a page',
    (args, call) =>
      call.request.account === undefined && !isGiven(call, 'per_page') ? { ...args, per_page: 5 } : args,
  );
  return hasSticky ? [sticky, closed, short] : [closed, short];
}
