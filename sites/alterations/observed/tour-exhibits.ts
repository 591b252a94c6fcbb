import type { Json, JsonObject } from '../../reference/json.ts';
import { type Answer, answer, type Behaviour, respond, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { type AskedFor, askedFor, type Exhibit, turning, turningRecords, withInner } from './exhibit.ts';

/** A namespace that no contract knows, with a list. */
const NAMESPACE = 'shop/v1';
const LIST = `/${NAMESPACE}/terms`;

/** What only a tour of the index sees: no check asks for it. */
export const TOUR_EXHIBITS: readonly Exhibit[] = [
  {
    id: 'terms-count-text',
    title: 'the number of records of a term is a text, in a list that no contract knows',
    shows: { class: 'breaking', kind: 'answer-type', subject: 'count' },
    before: withTerms((term) => term),
    behaviour: withTerms((term) => ({ ...term, count: String(term.count) })),
  },
  {
    id: 'terms-without-slug',
    title: 'terms have no slug, in a list that no contract knows',
    shows: { class: 'breaking', kind: 'answer-member-removed', subject: 'slug' },
    before: withTerms((term) => term),
    behaviour: withTerms(({ slug: _, ...term }) => term),
  },
  {
    id: 'terms-exposed',
    title: 'a list that no contract knows is answered to anybody',
    shows: { class: 'exposed', kind: 'right-exposed', subject: 'an anonymous caller' },
    before: withTerms((term) => term, true),
    behaviour: withTerms((term) => term),
  },
  {
    id: 'head-without-total',
    title: 'HEAD does not tell how many records there are',
    shows: { class: 'breaking', kind: 'header-removed', subject: 'x-wp-total' },
    behaviour: turning((shown, { method }) => {
      const { 'X-WP-Total': _, ...headers } = shown.headers;
      return method === 'HEAD' ? { ...shown, headers } : shown;
    }),
  },
  {
    id: 'preflight-lost',
    title: 'a preflight is not told which origins may read',
    shows: { class: 'breaking', kind: 'header-removed', subject: 'access-control-allow-origin' },
    before: {
      send: (message, response, shown) => {
        const isPreflight = message.method === 'OPTIONS' && message.headers.origin !== undefined;
        const headers = { ...shown.headers, ...(isPreflight && { 'Access-Control-Allow-Origin': '*' }) };
        respond(message.method, response, { ...shown, headers });
      },
    },
    behaviour: {},
  },
  {
    id: 'text-other',
    title: 'texts of records that nobody changed are rendered otherwise',
    shows: { class: 'unknown', kind: 'answer-rendered', subject: 'content' },
    behaviour: turningRecords((record) =>
      withInner(record, 'content', 'rendered', (text) => `${String(text)}<p>Read on.</p>`),
    ),
  },
  {
    id: 'order-other',
    title: 'pages come in another order',
    shows: { class: 'unknown', kind: 'answer-order', subject: 'the first page' },
    behaviour: turning((shown, { route }) =>
      route === '/cms/v2/pages' && Array.isArray(shown.body)
        ? { ...shown, body: shown.body.toReversed() }
        : shown,
    ),
  },
  {
    id: 'envelope-lost',
    title: 'answers are not wrapped where that is asked for',
    shows: { class: 'breaking', kind: 'answer-form', subject: 'the answer' },
    behaviour: turning((shown, { query }) =>
      query.has('_envelope') && isWrapped(shown.body) ? { ...shown, body: shown.body.body ?? null } : shown,
    ),
  },
];

/** What differs between two readings of one site, or between two tours, and says nothing. */
export const TOUR_TWINS: readonly (Alteration & Pick<Exhibit, 'before'>)[] = [
  {
    id: 'terms-change-by-themselves',
    title: 'a member of a list is a number at one time and a text at another',
    before: withTerms((term) => ({ ...term, weight: 1 })),
    behaviour: withTerms(alternating()),
  },
];

/** Each second reading of the first page has a text. */
function alternating(): (term: JsonObject, at: number) => JsonObject {
  return (term, at) => ({ ...term, weight: at % 2 === 0 ? 1 : 'heavy' });
}

function isWrapped(body: Answer['body']): body is JsonObject {
  return typeof body === 'object' && body !== null && !(body instanceof Text) && 'body' in body;
}

/** A site with a list of terms beside what its contract knows. @param isClosed whether only users read it */
function withTerms(turn: (term: JsonObject, at: number) => JsonObject, isClosed = false): Partial<Behaviour> {
  const paging = { type: 'integer', required: false };
  let answers = 0;
  return {
    declare: (index) => {
      const { namespaces, routes } = index;
      if (Array.isArray(namespaces)) namespaces.push(NAMESPACE);
      const args = { page: { ...paging, default: 1 }, per_page: { ...paging, default: 10 } };
      Object.assign(Object(routes), {
        [LIST]: { namespace: NAMESPACE, methods: ['GET'], endpoints: [{ methods: ['GET'], args }] },
      });
    },
    send: (message, response, shown) => {
      const asked = askedFor(message);
      const isDenied = isClosed && message.headers.authorization === undefined;
      if (asked.route !== LIST) return respond(message.method, response, shown);
      if (isDenied) return respond(message.method, response, answer({ code: 'rest_forbidden' }, 401));
      if (asked.method === 'GET' && asked.query.size === 1) answers += 1;
      const at = answers;
      return respond(
        message.method,
        response,
        termsOf(asked, (term) => turn(term, at)),
      );
    },
  };
}

function termsOf({ query }: AskedFor, turn: (term: JsonObject) => JsonObject): Answer {
  const [size, page] = [Number(query.get('per_page') ?? 10), Number(query.get('page') ?? 1)];
  const all = [1, 2, 3, 4].map((id): Json => turn({ id, name: `Term ${id}`, slug: `term-${id}`, count: id }));
  const headers = {
    'X-WP-Total': String(all.length),
    'X-WP-TotalPages': String(Math.ceil(all.length / size)),
  };
  return answer(all.slice((page - 1) * size, page * size), 200, headers);
}
