import { type Alter, answer, Text } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { declaring, turningArgs, withList } from '../handling.ts';
import { answering, breaking, type Exhibit, heading, isOfRecords, unknown } from './exhibit.ts';
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
    answering(
      ({ route, query }) => !isIgnored && route === TERMS && query.has(OWN_FILTER),
      () => none,
    ),
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

const TAG = ['ETag', '"a"'] as const;
const DAY = ['Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT'] as const;

/** Unchanged answers are sent again. */
function sentAgain(id: string, title: string, condition: string, before: Alter, after: Alter): Exhibit {
  return unknown(breaking(id, title, 'answer-whole', condition, after, before));
}

/** Lists whose content differs from the request, in total or by page. */
export const ASKED_EXHIBITS: readonly Exhibit[] = [
  breaking('search-ignored', 'a search shows everything', 'answer-filter', 'search', ({ filters }) => ({
    filters: { ...filters, search: () => true },
  })),
  breaking(
    'own-filter-ignored',
    'a filter of a plugin shows everything',
    'answer-filter',
    OWN_FILTER,
    filtered(true),
    filtered(false),
  ),
  breaking(
    'cap-lower',
    'large pages are cut, and nothing declares it',
    'answer-fewer',
    'per_page',
    answering(
      (asked, shown) => isOfRecords(shown, asked) && Number(asked.query.get('per_page')) > CAP,
      (shown) => withList(shown, (list) => list.slice(0, CAP)),
    ),
  ),
  breaking(
    'large-pages-refused',
    'large pages are refused, and nothing declares it',
    'answer-refused',
    `with per_page=${LARGEST}`,
    answering(
      ({ query }) => query.get('per_page') === LARGEST,
      () => answer({ code: 'rest_invalid_param', message: 'No.', data: { status: 400 } }, 400),
    ),
  ),
  unknown(
    breaking(
      'further-pages-denied',
      'pages but the first are denied',
      'answer-refused',
      'some requests',
      answering(
        ({ query, method }) => method === 'GET' && Number(query.get('page')) > 1,
        () => answer({ code: 'rest_forbidden', message: 'No.', data: { status: 403 } }, 403),
      ),
    ),
  ),
  breaking(
    'page-ignored',
    'each page is the first',
    'answer-repeated',
    'pages',
    turningArgs(
      ({ role, resource }) => role === 'list' && resource !== undefined,
      (args) => ({ ...args, page: 1 }),
    ),
  ),
  breaking(
    'record-twice',
    'pages begin and end with the same record',
    'answer-repeated',
    'one page',
    answering(
      (asked, shown) => isOfRecords(shown, asked),
      (shown) =>
        withList(shown, (list) => (list.length > 1 ? [...list.slice(0, -1), ...list.slice(0, 1)] : list)),
    ),
  ),
  breaking(
    'record-refused',
    'no record of a list is found by its id',
    'answer-refused',
    'records of a list',
    answering(
      ({ route }, { status }) => status === 200 && /^\/cms\/v2\/posts\/\d+$/.test(route),
      () => answer({ code: 'rest_post_invalid_id', message: 'No.', data: { status: 404 } }, 404),
    ),
  ),
  sentAgain(
    'digest-ignored',
    'answers are sent whole to who has their digest',
    'if-none-match',
    versioned(TAG, 'if-none-match'),
    heading(Object.fromEntries([TAG])),
  ),
  sentAgain(
    'day-ignored',
    'answers are sent whole to who knows when they changed',
    'if-modified-since',
    versioned(DAY, 'if-modified-since'),
    heading(Object.fromEntries([DAY])),
  ),
];
