import { type Alter, answer, Text } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { declaring, turningArgs, withList } from '../handling.ts';
import {
  answering,
  both,
  breaking,
  type Exhibit,
  giving,
  heading,
  isOfPost,
  isOfRecords,
  refusal,
  unknown,
} from './exhibit.ts';
import { withTerms } from './lists.ts';

/** Longer pages are cut. */
const CAP = 10;
const LARGEST = '100';
const TERMS = '/shop/v1/terms';
const OWN_FILTER = 'colour';

/** A list of a plugin with a filter that no record passes. @param isIgnored whether the filter is ignored */
function filtered(isIgnored: boolean): Alter {
  const none = answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' });
  return together(
    // What is sent last stands first.
    giving(none, ({ route, query }) => !isIgnored && route === TERMS && query.has(OWN_FILTER)),
    withTerms(),
    declaring(({ routes }) => {
      const [endpoint] = Object(Object(routes)[TERMS]).endpoints;
      endpoint.args[OWN_FILTER] = { type: 'string', required: false };
    }),
  );
}

/** A site that sends validators and answers 304 to conditional requests. @param isCompared whether it compares them */
export function versioned(
  [name, value]: readonly [string, string],
  condition: string,
  isCompared = true,
): Alter {
  return ({ send }) => ({
    send: (message, response, shown) => {
      const headers = { ...shown.headers, [name]: value };
      const isKnown = isCompared && shown.status === 200 && message.headers[condition] === value;
      const nothing = { status: 304, body: new Text('', '') };
      return send(message, response, { ...shown, headers, ...(isKnown && nothing) });
    },
  });
}

function sentAgain(id: string, validator: readonly [string, string], condition: string): Exhibit {
  const after = heading(Object.fromEntries([validator]));
  return unknown(breaking('answer-whole', condition)(id, after, versioned(validator, condition)));
}

/** Lists whose content differs from the request, in total or by page. */
export const ASKED_EXHIBITS: readonly Exhibit[] = [
  breaking('answer-filter', 'search')('search-ignored', ({ filters }) => ({
    filters: { ...filters, search: () => true },
  })),
  breaking('answer-filter', OWN_FILTER)('own-filter-ignored', filtered(true), filtered(false)),
  // Nothing declares that large pages are cut, or refused.
  breaking('answer-fewer', 'per_page')(
    'cap-lower',
    answering(
      both(isOfRecords, ({ query }) => Number(query.get('per_page')) > CAP),
      (shown) => withList(shown, (list) => list.slice(0, CAP)),
    ),
  ),
  breaking('answer-refused', `with per_page=${LARGEST}`)(
    'large-pages-refused',
    giving(refusal('rest_invalid_param', 400), ({ query }) => query.get('per_page') === LARGEST),
  ),
  unknown(
    breaking('answer-refused', 'some requests')(
      'further-pages-denied',
      giving(
        refusal('rest_forbidden', 403),
        ({ query, method }) => method === 'GET' && Number(query.get('page')) > 1,
      ),
    ),
  ),
  breaking('answer-repeated', 'pages')(
    'page-ignored',
    turningArgs(
      ({ role, resource }) => role === 'list' && resource !== undefined,
      (args) => ({ ...args, page: 1 }),
    ),
  ),
  breaking('answer-repeated', 'one page')(
    'record-twice',
    answering(isOfRecords, (shown) =>
      withList(shown, (list) => (list.length > 1 ? [...list.slice(0, -1), ...list.slice(0, 1)] : list)),
    ),
  ),
  breaking('answer-refused', 'records of a list')(
    'record-refused',
    giving(refusal('rest_post_invalid_id', 404), isOfPost),
  ),
  breaking('answer-refused', 'the request')(
    'record-moved',
    giving(answer(null, 301, { Location: 'https://elsewhere.example/' }), isOfPost),
  ),
  sentAgain('digest-ignored', ['ETag', '"a"'], 'if-none-match'),
  sentAgain('day-ignored', ['Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT'], 'if-modified-since'),
];
