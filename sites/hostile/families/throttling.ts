import { type Description, family, type HostileServer } from '../server.ts';
import { atIndex, expecting, json } from '../turns.ts';

const throttled = expecting([3], 'whole', 'early', 'unreached');

function throttles(title: string, headers: Readonly<Record<string, string>>, status = 429): Description {
  const what = `everything but the index is answered with ${status} ${title}`;
  return throttled.beyondIndex(what, json({}, status, headers));
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
    'the-index': atIndex(
      'the index is answered with 429 for 999999 seconds',
      json({}, 429, { 'retry-after': '999999' }),
    ),
    'once-for-eleven-days': expecting([0, 3], 'whole', 'early', 'unreached').where(
      'one request in all is answered with 429 for 999999 seconds',
      ({ nth }) => nth === 20,
      json({}, 429, { 'retry-after': '999999' }),
    ),
    'now-and-then': expecting([0], 'whole', 'early')
      .but({ hurried: false })
      .where(
        'one request in 150 is answered with 503 for no time at all',
        ({ nth }) => nth % 150 === 0,
        json({}, 503, { 'retry-after': '0' }),
      ),
  },
  { hurried: true },
);
