import type { Observation } from '../../../client/observation.ts';
import { type Check, check, checkId, type Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeQuery, rawForm, rawValues } from '../../../generators/wire-forms.ts';
import { drawSets, partOf, turned } from '../../../probing/search/draw-sets.ts';
import type { FuzzSet } from '../../../probing/search/fuzz-set.ts';
import { search } from '../../../probing/search/search.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { type Args, toRequest } from '../call.ts';
import { type Ground, groundOf } from '../control.ts';
import { robust } from './properties.ts';

/** Where there are few examples, one of them is malformed, and all of so many. */
const ALL_MALFORMED = 100;

/**
 * The check that no query makes a list or a record fail that is not well-formed: broken escapes, bytes that are no text,
 * a name that is given twice. Everything else of a site reads queries by the same means.
 */
export function malformedChecks(operation: Operation): Check[] {
  const { id, effect, strict, resource, section, methods } = operation;
  const open = operation.parameters.filter(({ in: place }) => place !== 'path');
  if (effect !== 'reads' || resource === undefined || !strict || open.length === 0) return [];
  const own = checkId(id, 'fuzz', 'malformed');
  return [
    check({
      id: own,
      kind: 'drawn',
      title: `${id} does not fail of a query that is not well-formed`,
      section,

      about: 'answer',
      operation: id,
      needs: [checkId(id, 'method', methods[0])],
      run: (session) => judge(session, own, operation, open),
    }),
  ];
}

async function judge(
  session: Session,
  check: string,
  operation: Operation,
  parameters: readonly Parameter[],
): Promise<Finding[]> {
  const ground = await groundOf(session, operation);
  if ('reason' in ground) return [inconclusive(ground.reason)];
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const all = parameters.flatMap(({ wire }) =>
    rawValues(wire).map(
      (value): FuzzSet => ({
        phase: 'boundary',
        args: { [wire]: value },
        about: [{ name: wire, keyword: 'malformed' }],
      }),
    ),
  );
  const sets = drawSets(session, check, (examples, seed) =>
    turned(all, partOf(examples, ALL_MALFORMED), seed),
  );
  const send = (args: Args, fresh: boolean): Promise<Observation> =>
    ask(session, operation, ground, args, fresh);
  return search(session, check, free, sets, robust(session, operation, free, send));
}

/** Sends arguments whose values stand in the query as they are. */
function ask(
  session: Session,
  operation: Operation,
  ground: Ground,
  args: Args,
  fresh: boolean,
): Promise<Observation> {
  const [[name, value] = ['', ''], ...others] = Object.entries(args);
  const pairs = others.flatMap(([other, one]) => encodeQuery(other, one));
  const spec = { ...toRequest({ operation, ...ground }), rawQuery: rawForm(pairs, name, String(value)) };
  return fresh ? session.client.request(spec) : session.ask(spec);
}
