import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { answer, type Call, Text } from '../../reference/site.ts';
import type { Mutants } from '../alteration.ts';
import { dropping, mutantsIn, setting } from '../handling.ts';
import { inContext, isAnonymous, ownResources, recordOf } from '../selecting.ts';

/** Sites that show something else where there is no record, or no more than they did when a record was published. */
export function placeholderMutants(contract: Contract): Mutants {
  const own = ownResources(contract);
  const [first] = own;
  const childLists = own
    .flatMap(({ children }) => children)
    .flatMap(({ operations: { list } }) => list ?? []);
  return [
    own.map(missingMutants),
    own.map(({ operations: { read } }, at) => read && longIdMutants(read, at)),
    first && edgeMutants(first),
    childLists
      .slice(0, 1)
      .map((list) =>
        mutantsIn(list.id, `${list.id}/fuzz/robust`).failing(
          '~fails-of-a-missing-parent',
          'fails for a parent that is not there',
          ({ site, args }) => site.store.get(Number(args.parent)) === undefined,
        ),
      ),
    childLists.filter(({ resource }) => resource?.kind === 'revisions').map(noChildrenMutant),
    own.map(excerptMutants),
    own.map(renamedMutants),
    own.map(unfilledMutants),
    own.map(emptyContextMutants),
  ];
}

const NOTHING = new Text('application/json; charset=UTF-8', '');

function missingMutants({ id, operations: { read, create } }: Resource): Mutants {
  if (read === undefined || create === undefined) return [];
  const isThere = ({ site, args }: Call): boolean => site.store.get(Number(args.id), id) !== undefined;
  return [
    mutantsIn(read.id, `records/${id}/every-answer/types`).handler(
      '~null-for-none',
      'is answered with null where no record has the id',
      (call, next) => (isThere(call) ? next(call) : answer(null)),
    ),
    mutantsIn(read.id, `records/${id}/no-server-error`).handler(
      '~empty-for-none',
      'is answered with an empty body where no record has the id',
      (call, next) => (isThere(call) ? next(call) : { ...answer(null), body: NOTHING }),
    ),
  ];
}

const LARGEST = 2 ** 32;

/** Each of these ids is requested from one collection. */
function longIdMutants({ id }: Operation, at: number): Mutants {
  const { failing } = mutantsIn(id, `${id}/fuzz/robust`);
  return [
    at === 0 &&
      failing(
        '~fails-of-a-long-id',
        'fails for an id of more than 32 bits',
        ({ args }) => Number(args.id) > LARGEST,
      ),
    at === 1 && failing('~fails-of-0', 'fails for the id 0', ({ args }) => Number(args.id) === 0),
  ];
}

/** Code that decides for all collections what a caller gets. */
function edgeMutants({ id }: Resource): Mutants {
  const shown = mutantsIn(
    ({ resource, role }) => resource?.parent === undefined && (role === 'list' || role === 'read'),
    `records/${id}/every-answer/contexts`,
    'lists and reads',
  ).where(isAnonymous, inContext('edit'));
  return shown.args(
    '~view-for-edit',
    'show anonymous callers the context view where they ask for edit',
    setting({ context: 'view' }),
  );
}

function noChildrenMutant({ id, resource }: Operation): Mutants {
  return mutantsIn(id, `records/${resource?.id}/every-answer/ids`).answer(
    '~null-for-none',
    'is answered with null where a record has none',
    (shown) => (Array.isArray(shown.body) && shown.body.length === 0 ? answer(null) : shown),
  );
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** An excerpt that is made when a record is published, and kept. */
function excerptMutants({ operations: { read } }: Resource): Mutants {
  if (read === undefined || !('excerpt_length' in read.parameters.properties)) return [];
  const { where } = mutantsIn(read.id, `${read.id}/excerpt_length/shortens`);
  const isOld = (call: Call): boolean => (recordOf(call)?.date ?? 0) < call.site.now() - DAY;
  return where(isOld).args(
    '~kept-with-the-record',
    'shows the excerpts of old records as they were made, whatever the length',
    dropping('excerpt_length'),
  );
}

/** Writable fields that not all records lack, shown by another name. */
function renamedMutants({ id, fields, operations: { list, read } }: Resource): Mutants {
  if (list === undefined) return [];
  const answers = [list, read].flatMap((operation) => operation?.id ?? []);
  return ['comment_status', 'title', 'content'].map(
    (field) =>
      field in fields &&
      mutantsIn(answers, `records/${id}/types/${field}`, `lists and reads of ${id}`).record(
        '~renamed',
        `show ${field} by another name`,
        ({ [field]: shown = null, ...record }) => ({ ...record, [`the_${field}`]: shown }),
      ),
  );
}

/** New records whose empty fields are shown as null, unlike those of the records that were there. */
function unfilledMutants({ id, operations: { create, read, update } }: Resource): Mutants {
  if (create === undefined) return [];
  const showing = [create, read, update].flatMap((operation) => operation?.id ?? []);
  const { record } = mutantsIn(showing, `records/${id}/written/types`, `new ${id}`);
  return record('~null-for-empty', 'have null for an empty template', (shown, { site }) => {
    const isNew = Date.parse(`${shown.modified_gmt}Z`) > site.now() - MINUTE;
    return shown.template === '' && isNew ? { ...shown, template: null } : shown;
  });
}

function emptyContextMutants({ operations, children }: Resource): Mutants {
  const lists = [operations.list, ...children.map((child) => child.operations.list)];
  return lists.flatMap((list) => {
    if (list?.parameters.properties.context?.enum === undefined || list.resource?.kind === 'autosaves')
      return [];
    return mutantsIn(list.id, `${list.id}/context/enum/enforced`).reading(
      '~empty-for-default',
      'takes an empty context for the default',
      ({ context, ...given }, read) =>
        read(context === undefined || context === '' ? given : { ...given, context }),
    );
  });
}
