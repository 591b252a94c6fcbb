import type { JsonObject } from '../../reference/json.ts';
import { type Answer, answer, Text } from '../../reference/site.ts';
import { withObject } from '../handling.ts';
import type { Exhibit, TurnAnswer, TurnValue, Which } from './exhibit.ts';
import { answering, both, breaking, LIST, unknown, withAt, withHeaders } from './exhibit.ts';

function hasStatus(status: number): Which {
  return (_, shown) => shown.status === status;
}

function hasCode(code: string): Which {
  return (_, { body }) => !(body instanceof Text) && Object(body).code === code;
}

const [isBad, isUnknown, isDenied] = [hasStatus(400), hasStatus(404), hasStatus(401)];
const [isInvalid, isOfNoRoute] = [hasCode('rest_invalid_param'), hasCode('rest_no_route')];

/** Changed refusals. @param subject the part that changes */
function refusing(id: string, subject: string, which: Which, turn: TurnAnswer): Exhibit {
  return breaking('refusal-changed', subject)(id, answering(which, turn));
}

function status(number: number): TurnAnswer {
  return (shown) => ({ ...shown, status: number });
}

function bodyWith(path: string, turn: TurnValue): TurnAnswer {
  return (shown) => withObject(shown, (own: JsonObject) => withAt(own, path, turn));
}

/** An HTML page where JSON is expected. */
export function page(number: number): Answer {
  return {
    ...answer(null, number),
    body: new Text('text/html; charset=UTF-8', '<!doctype html><p>Error'),
  };
}

function unreadable(id: string, subject: string, which: Which, own: Answer): Exhibit {
  const turn = answering(which, ({ headers }) => ({ ...own, headers }));
  return breaking('answer-unreadable', `the body of "${subject}"`)(id, turn);
}

function less(id: string, path: string): Exhibit {
  const removed = breaking('refusal-member-removed', `${path} of "rest_invalid_param"`);
  return removed(
    id,
    answering(
      isInvalid,
      bodyWith(path, () => undefined),
    ),
  );
}

const EMPTY: Answer = { ...answer(null, 400), body: new Text('application/json; charset=UTF-8', '') };
const STATUS = 'the status of "invalid argument"';
const DENIED = 'the status of "denied"';
const form = breaking('answer-form', 'the answer');

/** Changed refusals. */
export const REFUSAL_EXHIBITS: readonly Exhibit[] = [
  refusing(
    'code-other',
    'the code of "invalid argument"',
    isInvalid,
    bodyWith('code', () => 'invalid'),
  ),
  refusing(
    'unknown-code',
    'the code of "unknown record"',
    both(isUnknown, (asked, shown) => !isOfNoRoute(asked, shown)),
    bodyWith('code', () => 'not_found'),
  ),
  refusing(
    'unknown-route-code',
    'the code of "unknown route"',
    isOfNoRoute,
    bodyWith('code', () => 'route_missing'),
  ),
  refusing('unknown-route-served', 'the status of "unknown route"', isOfNoRoute, () =>
    answer({ name: 'A site' }),
  ),
  refusing('unprocessable', STATUS, isInvalid, status(422)),
  refusing('denied-as-absent', DENIED, isDenied, status(404)),
  refusing('forbidden', DENIED, isDenied, status(403)),
  refusing('denied-as-success', DENIED, isDenied, status(200)),
  // As plugins do that hide from strangers what a site has. Few lists of the reference are denied.
  unknown(
    refusing('denied-hidden', 'the answer to "denied"', isDenied, () =>
      answer({ code: 'rest_no_route', message: 'No route was found', data: { status: 404 } }, 404),
    ),
  ),
  refusing('bad-as-fault', STATUS, isBad, status(500)),
  refusing('fault-page', 'the answer to "invalid argument"', isBad, () => page(500)),
  refusing(
    'problem-type',
    'the content type of refusals',
    isBad,
    withHeaders({ 'Content-Type': 'application/problem+json' }),
  ),
  refusing('status-text', 'data.status of "rest_invalid_param"', isBad, bodyWith('data.status', String)),
  refusing(
    'data-null',
    'data of "rest_invalid_param"',
    isBad,
    bodyWith('data', () => null),
  ),
  unreadable('page-for-refusal', 'invalid argument', isBad, page(400)),
  unreadable('login-page', 'denied', isDenied, page(403)),
  unreadable('empty-refusal', 'invalid argument', isBad, EMPTY),
  less('refusal-without-data', 'data'),
  less('refusal-without-status', 'data.status'),
  less('params-missing', 'data.params'),
  form('refusal-as-success', answering(isUnknown, status(200))),
  form(
    'unknown-as-null',
    answering(
      both(isUnknown, ({ route }) => route.startsWith(LIST)),
      (shown) => ({ ...shown, status: 200, body: null }),
    ),
  ),
];
