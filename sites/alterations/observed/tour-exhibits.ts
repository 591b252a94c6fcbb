import type { Json, JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { type Alteration, together } from '../alteration.ts';
import { type AskedFor, declaring, sending } from '../handling.ts';
import { breaking, type Exhibit, exposed, turningRecords, unknown, withInner } from './exhibit.ts';

/** A namespace that no contract knows, with a list. */
const NAMESPACE = 'shop/v1';
const LIST = `/${NAMESPACE}/terms`;

/** What only a tour of the index sees: no check asks for it. */
export const TOUR_EXHIBITS: readonly Exhibit[] = [
  breaking(
    'terms-count-text',
    'the number of records of a term is a text, in a list that no contract knows',
    'answer-type',
    'count',
    withTerms((term) => ({ ...term, count: String(term.count) })),
    withTerms((term) => term),
  ),
  breaking(
    'terms-without-slug',
    'terms have no slug, in a list that no contract knows',
    'answer-member-removed',
    'slug',
    withTerms(({ slug: _, ...term }) => term),
    withTerms((term) => term),
  ),
  exposed(
    breaking(
      'terms-exposed',
      'a list that no contract knows is answered to anybody',
      'right-exposed',
      'an anonymous caller',
      withTerms((term) => term),
      withTerms((term) => term, true),
    ),
  ),
  breaking(
    'head-without-total',
    'HEAD does not tell how many records there are',
    'header-removed',
    'x-wp-total',
    sending((shown, { method }) => {
      const { 'X-WP-Total': _, ...headers } = shown.headers;
      return method === 'HEAD' ? { ...shown, headers } : shown;
    }),
  ),
  breaking(
    'preflight-lost',
    'a preflight does not learn which origins may read',
    'header-removed',
    'access-control-allow-origin',
    () => ({}),
    ({ send }) => ({
      send: (message, response, shown) => {
        const isPreflight = message.method === 'OPTIONS' && message.headers.origin !== undefined;
        const headers = { ...shown.headers, ...(isPreflight && { 'Access-Control-Allow-Origin': '*' }) };
        return send(message, response, { ...shown, headers });
      },
    }),
  ),
  unknown(
    breaking(
      'text-other',
      'texts of records that nobody changed are rendered otherwise',
      'answer-rendered',
      'content',
      turningRecords((record) =>
        withInner(record, 'content', 'rendered', (text) => `${String(text)}<p>Read on.</p>`),
      ),
    ),
  ),
  unknown(
    breaking(
      'order-other',
      'pages come in another order',
      'answer-order',
      'the first page',
      sending((shown, { route }) =>
        route === '/cms/v2/pages' && Array.isArray(shown.body)
          ? { ...shown, body: shown.body.toReversed() }
          : shown,
      ),
    ),
  ),
  breaking(
    'envelope-lost',
    'answers are not wrapped where that is asked for',
    'answer-form',
    'the answer',
    sending((shown, { query }) =>
      query.has('_envelope') && isWrapped(shown.body) ? { ...shown, body: shown.body.body ?? null } : shown,
    ),
  ),
];

/** What differs between two readings of one site, or between two tours, and says nothing. */
export const TOUR_TWINS: readonly (Alteration & Pick<Exhibit, 'before'>)[] = [
  {
    id: 'terms-change-by-themselves',
    title: 'a member of a list is a number at one time and a text at another',
    before: withTerms((term) => ({ ...term, weight: 1 })),
    // Each second reading of the first page has a text.
    behaviour: withTerms((term, at) => ({ ...term, weight: at % 2 === 0 ? 1 : 'heavy' })),
  },
];

function isWrapped(body: Answer['body']): body is JsonObject {
  return typeof body === 'object' && body !== null && !(body instanceof Text) && 'body' in body;
}

/** Has a list of terms beside what its contract knows. @param isClosed whether only users read it */
function withTerms(turn: (term: JsonObject, at: number) => JsonObject, isClosed = false): Alter {
  const paging = { type: 'integer', required: false };
  let answers = 0;
  return together(
    declaring(({ namespaces, routes }) => {
      if (Array.isArray(namespaces)) namespaces.push(NAMESPACE);
      const args = { page: { ...paging, default: 1 }, per_page: { ...paging, default: 10 } };
      Object.assign(Object(routes), {
        [LIST]: { namespace: NAMESPACE, methods: ['GET'], endpoints: [{ methods: ['GET'], args }] },
      });
    }),
    sending((shown, asked) => {
      if (asked.route !== LIST) return shown;
      if (isClosed && asked.anonymous) return answer({ code: 'rest_forbidden' }, 401);
      if (asked.method === 'GET' && asked.query.size === 1) answers += 1;
      const at = answers;
      return termsOf(asked, (term) => turn(term, at));
    }),
  );
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
