import type { JsonObject } from '../../reference/json.ts';
import { type Answer, answer, Text } from '../../reference/site.ts';
import { withObject, without } from '../handling.ts';
import type { Exhibit, TurnAnswer, Which } from './exhibit.ts';
import { answering, both, breaking, LIST, withAt, withHeaders, withMember } from './exhibit.ts';

function hasStatus(status: number): Which {
  return (_, shown) => shown.status === status;
}

const [isBad, isUnknown, isDenied] = [hasStatus(400), hasStatus(404), hasStatus(401)];
const isInvalid: Which = (_, { body }) =>
  !(body instanceof Text) && Object(body).code === 'rest_invalid_param';

const isOfNoRoute: Which = (_, { body }) => !(body instanceof Text) && Object(body).code === 'rest_no_route';

/** Changed refusals. @param subject the part that changes */
function refusing(id: string, title: string, subject: string, which: Which, turn: TurnAnswer): Exhibit {
  return breaking('refusal-changed', subject)(id, title, answering(which, turn));
}

function status(number: number): TurnAnswer {
  return (shown) => ({ ...shown, status: number });
}

/** Refusals with another body. */
function told(turn: (own: JsonObject) => JsonObject): TurnAnswer {
  return (shown) => withObject(shown, turn);
}

/** An HTML page where JSON is expected. */
export function page(number: number): Answer {
  return {
    ...answer(null, number),
    body: new Text('text/html; charset=UTF-8', '<!doctype html><p>Error'),
  };
}

/** Refusals that are not JSON. */
function unreadable(id: string, title: string, subject: string, which: Which, own: Answer): Exhibit {
  const turn = answering(which, ({ headers }) => ({ ...own, headers }));
  return breaking('answer-unreadable', `the body of "${subject}"`)(id, title, turn);
}

/** A removed member of refusals. */
function less(id: string, title: string, member: string, turn: (own: JsonObject) => JsonObject): Exhibit {
  const removed = breaking('refusal-member-removed', `${member} of "rest_invalid_param"`);
  return removed(id, title, answering(isInvalid, told(turn)));
}

function withoutData(name: string): (own: JsonObject) => JsonObject {
  return (own) => withMember(own, 'data', (data) => without(Object(data), name));
}

const EMPTY: Answer = { ...answer(null, 400), body: new Text('application/json; charset=UTF-8', '') };
const STATUS = 'the status of "invalid argument"';

/** Changed refusals. */
export const REFUSAL_EXHIBITS: readonly Exhibit[] = [
  refusing(
    'code-other',
    'refusals of arguments have another code',
    'the code of "invalid argument"',
    isInvalid,
    told((own) => ({ ...own, code: 'invalid' })),
  ),
  refusing(
    'unknown-code',
    'records that are not there have another code',
    'the code of "unknown record"',
    both(isUnknown, (asked, shown) => !isOfNoRoute(asked, shown)),
    told((own) => ({ ...own, code: 'not_found' })),
  ),
  refusing(
    'unknown-route-code',
    'routes that are not there have another code',
    'the code of "unknown route"',
    isOfNoRoute,
    told((own) => ({ ...own, code: 'route_missing' })),
  ),
  refusing(
    'unknown-route-served',
    'routes that are not there are answered with success',
    'the status of "unknown route"',
    isOfNoRoute,
    () => answer({ name: 'A site' }),
  ),
  refusing('unprocessable', 'what is invalid is answered with 422', STATUS, isInvalid, status(422)),
  refusing(
    'denied-as-absent',
    'what is denied is answered with 404',
    'the status of "denied"',
    isDenied,
    status(404),
  ),
  refusing(
    'forbidden',
    'what is denied is answered with 403',
    'the status of "denied"',
    isDenied,
    status(403),
  ),
  refusing('bad-as-fault', 'what is invalid ends in a fault', STATUS, isBad, status(500)),
  refusing(
    'fault-page',
    'what is invalid ends in a page about a fault',
    'the answer to "invalid argument"',
    isBad,
    () => page(500),
  ),
  refusing(
    'problem-type',
    'refusals have another content type',
    'the content type of refusals',
    isBad,
    withHeaders({ 'Content-Type': 'application/problem+json' }),
  ),
  refusing(
    'status-text',
    'the status in refusals is a text',
    'data.status of "rest_invalid_param"',
    isBad,
    told((own) => withAt(own, 'data.status', String)),
  ),
  refusing(
    'data-null',
    'refusals have null for their data',
    'data of "rest_invalid_param"',
    isBad,
    told((own) => ({ ...own, data: null })),
  ),
  unreadable('page-for-refusal', 'refusals are pages', 'invalid argument', isBad, page(400)),
  unreadable('login-page', 'what is denied is answered with a page to log in', 'denied', isDenied, page(403)),
  unreadable('empty-refusal', 'refusals have no body', 'invalid argument', isBad, EMPTY),
  less('refusal-without-data', 'refusals have no data', 'data', (own) => without(own, 'data')),
  less('refusal-without-status', 'data of refusals have no status', 'data.status', withoutData('status')),
  less('params-missing', 'refusals do not name the arguments', 'data.params', withoutData('params')),
  breaking('answer-form', 'the answer')(
    'refusal-as-success',
    'what is not there is answered with a refusal and a status of success',
    answering(isUnknown, status(200)),
  ),
  breaking('answer-form', 'the answer')(
    'unknown-as-null',
    'a record that is not there is null, and no refusal',
    answering(
      both(isUnknown, ({ route }) => route.startsWith(LIST)),
      (shown) => ({ ...shown, status: 200, body: null }),
    ),
  ),
];
