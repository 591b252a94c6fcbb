import type { UnknownObject } from '../../reference/json.ts';
import {
  ANYHOW,
  CONFORMS,
  type Description,
  family,
  type HostileServer,
  INDEX_CHECKS,
} from '../hostile-server.ts';
import { turningIndex, withParameter, withRoutes } from '../turns.ts';

/** Further routes and parameters with a pattern; what the contract names is as it should be. */
function beside(what: string, patterns: readonly string[]): Description {
  return {
    title: `further routes have ${what}`,
    expected: CONFORMS,
    handler: turningIndex((index) => {
      const routed = withRoutes(index, (routes) => ({
        ...routes,
        ...Object.fromEntries(
          patterns.map((pattern, at) => [
            `/hostile/v1/${at}/(?P<id>${pattern})`,
            {
              namespace: 'hostile/v1',
              methods: ['GET'],
              endpoints: [{ methods: ['GET'], args: { id: { type: 'string', pattern } } }],
            },
          ]),
        ),
      }));
      return withParameter(routed, 'hostile', { type: 'string', pattern: patterns[0] });
    }),
  };
}

/** A pattern in place of the one of an id, which the contract does name. */
function inPlace(what: string, pattern: string): Description {
  return {
    title: `the pattern of an id is ${what}`,
    expected: ANYHOW,
    handler: turningIndex((index) =>
      withRoutes(index, (routes) =>
        Object.fromEntries(
          Object.entries(routes).map(([route, entry]) => [route.replaceAll('[\\d]+', () => pattern), entry]),
        ),
      ),
    ),
  };
}

const CATASTROPHE = '(([a-z0-9]+)+)+';
/** 47 kB of groups, each counted a thousand times. */
const COUNTED = '(?:[0-9a-f]{1,1000}x?){1,1000}'.repeat(1550);
/** A few hundred characters, and some 40,000 states when the counts are written out. */
const DEAR = `(?:(?:${'\\d{0,10}'.repeat(40)}){0,100})`;
const COUNTED_NESTED = '((((((\\d{1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000})';

/** Many spellings of one route, of which each has to be compared with what the contract says. */
function candidates(index: UnknownObject): UnknownObject {
  return withRoutes(index, ({ '/cms/v2/posts/(?P<id>[\\d]+)': entry, ...routes }) => ({
    ...routes,
    ...Object.fromEntries(
      Array.from({ length: 1200 }, (_, at) => [`/cms/v2/posts/(?P<id>(?:${DEAR}|${at}))`, entry]),
    ),
  }));
}

/** Servers whose index holds patterns that are dear to compile, or to match, or that are none. */
export const PATTERNS: readonly HostileServer[] = family(
  'patterns',
  {
    catastrophic: beside('patterns that backtrack for ever', [CATASTROPHE, '(a|a)*$', '(.*)*!', '^(\\d+)*$']),
    'catastrophic-in-place': inPlace('one that backtracks for ever', '(?:(?:\\d+)+)+'),
    counted: beside('47 kB of counted repetitions each, eleven times', Array(11).fill(COUNTED)),
    'counted-in-place': inPlace('47 kB of counted repetitions', COUNTED),
    'dear-in-place': inPlace('short and takes seconds to compile', DEAR),
    'dear-candidates': {
      title: 'a route is there 1,200 times, each with another pattern that takes seconds to compile',
      expected: ANYHOW,
      handler: turningIndex(candidates),
    },
    'counted-nested-in-place': inPlace('a nest of counted repetitions', COUNTED_NESTED),
    'alternatives-in-place': inPlace(
      '20,000 alternatives',
      `(?:${Array.from({ length: 20_000 }, (_, at) => `${at}\\d*`).join('|')})`,
    ),
    'groups-in-place': inPlace('a nest of 20,000 groups', `${'('.repeat(20_000)}\\d+${')'.repeat(20_000)}`),
    'unclosed-in-place': inPlace('not closed', '[\\d+'),
    'unclosed-group-in-place': inPlace('a group that does not close', '(\\d+'),
    'looks-back-in-place': inPlace('one that looks back and refers to itself', '(?<=/)(\\d)\\1*(?=$)'),
    'recursive-in-place': inPlace('one that calls itself, as PHP can', '(\\d(?1)?)'),
    'captures-named-twice': beside('a path parameter of the same name inside', ['(?P<id>(?P<id>\\d+))']),
    'captures-with-own-names': beside('path parameters with the names that every object has', [
      '(?P<__proto__>\\d+)/(?P<constructor>\\w+)',
    ]),
    'classes-in-place': inPlace(
      'a class of every character, a thousand times',
      '[\\x{0}-\\x{10FFFF}]'.repeat(1000),
    ),
  },
  { only: INDEX_CHECKS },
);
