import { type Description, EXPECTED, family, type HostileServer } from '../server.ts';
import { atIndex, beyondIndex, everywhere } from '../turns.ts';

/** A site on which everything but the index is throttled. */
function throttles(title: string, headers: Readonly<Record<string, string>>, status = 429): Description {
  return beyondIndex(
    `everything but the index is answered with ${status} ${title}`,
    { codes: [3], endings: ['whole', 'early', 'unreached'] },
    (exchange) => exchange.json({}, status, headers),
  );
}

/** Servers that throttle without limit. */
export const THROTTLING: readonly HostileServer[] = family(
  'throttling',
  {
    always: throttles('without a time', {}),
    unavailable: throttles('without a time', {}, 503),
    'too-early': throttles('without a time', {}, 425),
    'for-eleven-days': throttles('for 999999 seconds', { 'retry-after': '999999' }),
    'for-ages': throttles('for 30 digits of seconds', { 'retry-after': '9'.repeat(30) }),
    'for-less-than-nothing': throttles('for -1 seconds', { 'retry-after': '-1' }),
    'until-9999': throttles('until the year 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }),
    'until-1970': throttles('until the year 1970', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    'until-nonsense': throttles('until a time that is none', { 'retry-after': 'soon, 1e308; Infinity' }),
    'the-index': atIndex('the index is answered with 429 for 999999 seconds', (exchange) =>
      exchange.json({}, 429, { 'retry-after': '999999' }),
    ),
    'once-for-eleven-days': everywhere(
      'one request in all is answered with 429 for 999999 seconds',
      { codes: [0, 3], endings: ['whole', 'early', 'unreached'] },
      (exchange) =>
        exchange.nth === 20 ? exchange.json({}, 429, { 'retry-after': '999999' }) : exchange.pass(),
    ),
    'now-and-then': {
      hurried: false,
      ...everywhere(
        'one request in 150 is answered with 503 for no time at all',
        { ...EXPECTED.conforms, endings: ['whole', 'early'] },
        (exchange) =>
          exchange.nth % 150 === 0 ? exchange.json({}, 503, { 'retry-after': '0' }) : exchange.pass(),
      ),
    },
  },
  { hurried: true },
);
