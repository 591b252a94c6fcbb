import { type Answer, answer, Text } from '../../reference/site.ts';
import { type AskedFor, withObject, without } from '../handling.ts';
import type { Exhibit, TurnAnswer } from './exhibit.ts';
import { answering, breaking, LIST, withInner, withMember } from './exhibit.ts';

type Which = (asked: AskedFor, shown: Answer) => boolean;

const isBad: Which = (_, { status }) => status === 400;
const isUnknown: Which = (_, { status }) => status === 404;
const isDenied: Which = (_, { status }) => status === 401;
const isInvalid: Which = (_, { body }) =>
  !(body instanceof Text) && Object(body).code === 'rest_invalid_param';

/** Changed refusals. @param subject the part that changes */
function refusing(id: string, title: string, subject: string, which: Which, turn: TurnAnswer): Exhibit {
  return breaking(id, title, 'refusal-changed', subject, answering(which, turn));
}

const status =
  (number: number): TurnAnswer =>
  (shown) => ({ ...shown, status: number });

/** An HTML page where JSON is expected. */
export function page(number: number): Answer {
  return {
    ...answer(null, number),
    body: new Text('text/html; charset=UTF-8', '<!doctype html><p>Error'),
  };
}

/** Refusals that are not JSON. */
function unreadable(id: string, title: string, subject: string, which: Which, own: Answer): Exhibit {
  return breaking(
    id,
    title,
    'answer-unreadable',
    subject,
    answering(which, ({ headers }) => ({ ...own, headers })),
  );
}

/** A removed member of refusals. */
function less(id: string, title: string, member: string, turn: TurnAnswer): Exhibit {
  return breaking(
    id,
    title,
    'refusal-member-removed',
    `${member} of "rest_invalid_param"`,
    answering(isInvalid, turn),
  );
}

/** Changed refusals. */
export const REFUSAL_EXHIBITS: readonly Exhibit[] = [
  refusing(
    'code-other',
    'refusals of arguments have another code',
    'the code of "invalid argument"',
    isInvalid,
    (shown) => withObject(shown, (own) => ({ ...own, code: 'invalid' })),
  ),
  refusing(
    'unknown-code',
    'records that are not there have another code',
    'the code of "unknown record"',
    isUnknown,
    (shown) => withObject(shown, (own) => ({ ...own, code: 'not_found' })),
  ),
  refusing(
    'unprocessable',
    'what is invalid is answered with 422',
    'the status of "invalid argument"',
    isInvalid,
    status(422),
  ),
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
  refusing(
    'bad-as-fault',
    'what is invalid ends in a fault',
    'the status of "invalid argument"',
    isBad,
    status(500),
  ),
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
    (shown) => ({ ...shown, headers: { ...shown.headers, 'Content-Type': 'application/problem+json' } }),
  ),
  refusing(
    'status-text',
    'the status in refusals is a text',
    'data.status of "rest_invalid_param"',
    isBad,
    (shown) => withObject(shown, (own) => withInner(own, 'data', 'status', String)),
  ),
  refusing('data-null', 'refusals have null for their data', 'data of "rest_invalid_param"', isBad, (shown) =>
    withObject(shown, (own) => ({ ...own, data: null })),
  ),
  unreadable('page-for-refusal', 'refusals are pages', 'the body of "invalid argument"', isBad, page(400)),
  unreadable(
    'login-page',
    'what is denied is answered with a page to log in',
    'the body of "denied"',
    isDenied,
    page(403),
  ),
  unreadable('empty-refusal', 'refusals have no body', 'the body of "invalid argument"', isBad, {
    ...answer(null, 400),
    body: new Text('application/json; charset=UTF-8', ''),
  }),
  less('refusal-without-data', 'refusals have no data', 'data', (shown) =>
    withObject(shown, (own) => without(own, 'data')),
  ),
  less('refusal-without-status', 'data of refusals have no status', 'data.status', (shown) =>
    withObject(shown, (own) => withMember(own, 'data', (data) => without(Object(data), 'status'))),
  ),
  less('params-missing', 'refusals do not name the arguments', 'data.params', (shown) =>
    withObject(shown, (own) => withMember(own, 'data', (data) => without(Object(data), 'params'))),
  ),
  breaking(
    'refusal-as-success',
    'what is not there is answered with a refusal and a status of success',
    'answer-form',
    'the answer',
    answering(isUnknown, status(200)),
  ),
  breaking(
    'unknown-as-null',
    'a record that is not there is null, and no refusal',
    'answer-form',
    'the answer',
    answering(
      (asked, shown) => isUnknown(asked, shown) && asked.route.startsWith(LIST),
      (shown) => ({ ...shown, status: 200, body: null }),
    ),
  ),
];
