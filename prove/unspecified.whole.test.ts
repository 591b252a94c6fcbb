import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RunMode } from '../client/mode.ts';
import type { CheckResult, Verdict } from '../engine/result.ts';
import { together } from '../sites/alterations/alteration.ts';
import { SILENT_TOGETHER } from '../sites/alterations/catalogue.ts';
import { sending } from '../sites/alterations/handling.ts';
import type { Change } from '../sites/alterations/unspecified/change.ts';
import { answerOf } from '../sites/ask.fixture.ts';
import type { Json } from '../sites/reference/json.ts';
import { type Schema, typesOf } from '../sites/reference/schema.ts';
import { serve } from '../sites/reference/serve.ts';
import { answer, type Behaviour } from '../sites/reference/site.ts';
import { loadContract } from '../specs/contract.ts';
import { textsOf } from '../specs/texts.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runOnReference } from './kill.ts';

type Results = ReadonlyMap<string, CheckResult>;

/** A site without users of HTTP Basic, which makes a run anonymous. */
const OTHER_CREDENTIALS: Readonly<Record<string, Change>> = {
  'credential-format': {
    behaviour: ({ authenticate }) => ({
      authenticate: ({ 'x-site-token': token = '' }, accounts) =>
        authenticate({ authorization: `Basic ${token}` }, accounts),
    }),
    shows: [{ route: '/cms/v2/posts', query: { context: 'edit' } }],
  },
};

/** Plugins that accept a value of any type, on a site of their own, because each check may warn. */
const LENIENT_PLUGINS: Readonly<Record<string, Change>> = {
  'plugin-argument-types': {
    behaviour: (usual): Partial<Behaviour> => ({
      readArguments: (parameters, given, asked) => {
        const { namespace } = asked.operation;
        if (namespace === '' || namespace === 'cms/v2' || namespace === 'oembed/1.0')
          return usual.readArguments(parameters, given, asked);
        const typed = Object.entries(given).map(([name, value]) => {
          const schema = parameters.properties[name];
          return [name, schema === undefined ? value : retyped(value, schema)];
        });
        return usual.readArguments(parameters, Object.fromEntries(typed), asked);
      },
    }),
    shows: [{ route: '/builder/v1/favorites', query: { page: 'soon' } }],
  },
};

/** A value of the declared type instead of another one. */
function retyped(value: Json, schema: Schema): Json {
  const [type, more] = typesOf(schema);
  if (more !== undefined) return value;
  if (type === 'integer') return /^-?\d+$/.test(String(value)) ? value : (schema.minimum ?? 1);
  if (type === 'boolean') return /^(?:true|false|0|1)$/.test(String(value)) ? value : true;
  if (type === 'string')
    return typeof value === 'string' || typeof value === 'number' ? value : (schema.enum?.[0] ?? 'a');
  return value;
}

/** All differences in unspecified points, by their ids. */
const ALL_CHANGES: Readonly<Record<string, Change>> = {
  ...SILENT_TOGETHER,
  ...OTHER_CREDENTIALS,
  ...LENIENT_PLUGINS,
};

function changesOn(deployment: string, changes: Readonly<Record<string, Change>>): Change[] {
  return Object.values(changes).filter(
    (one) => one.deployment === undefined || one.deployment === deployment,
  );
}

type Shows = NonNullable<Change['shows']>;

const INDEX: Shows = [{ route: '/' }];

/** What a caller sees of a fresh site of B with some changes. */
async function shown(shows: Shows, changes: readonly Change[]): Promise<unknown> {
  const site = await serve({
    deployment: 'b',
    behaviour: together(...changes.map(({ behaviour }) => behaviour)),
  });
  const answers: string[] = [];
  try {
    for (const one of shows) answers.push(await answerOf(site, one));
  } finally {
    await site.close();
  }
  return answers;
}

interface Run {
  readonly deployment: string;
  readonly changes: readonly Change[];
  readonly mode: RunMode;
  readonly caller: 'a user' | 'nobody';
  readonly only?: readonly string[];
}

async function run({
  deployment,
  changes,
  mode,
  caller,
  only = [],
}: Run): Promise<{ results: Results; retries: number }> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const { results, retries } = await runOnReference({
    deployment,
    alterations: changes,
    contract,
    checks: allChecks(contract),
    mode,
    only,
    anonymous: caller === 'nobody',
  });
  return { results, retries };
}

function withVerdict(results: Results, ...verdicts: Verdict[]): string[] {
  return [...results.values()]
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ verdict, id, message, observed }) => `${verdict} ${id}: ${message} (${observed})`);
}

function verdicts(results: Results): Record<string, Verdict> {
  return Object.fromEntries([...results].map(([id, { verdict }]) => [id, verdict]));
}

describe('unspecified', () => {
  it('are each answered otherwise', () => {
    expect(Object.keys(ALL_CHANGES).toSorted()).toEqual(
      textsOf('unspecified')
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('look at what is the same in each site that does nothing otherwise', async () => {
    const all = new Set(Object.values(ALL_CHANGES).map(({ shows = INDEX }) => shows));
    for (const shows of all) {
      expect(await shown(shows, [])).toEqual(await shown(shows, []));
    }
  });

  it.each(Object.entries({ ...OTHER_CREDENTIALS, ...LENIENT_PLUGINS }))(
    'show that %s is answered otherwise',
    async (_, change) => {
      const { shows = INDEX } = change;

      expect(await shown(shows, [change])).not.toEqual(await shown(shows, []));
    },
  );

  it('show each change through all the others', async () => {
    const together = Object.values(SILENT_TOGETHER);
    const hidden: string[] = [];
    const index = await shown(INDEX, together);
    for (const [id, change] of Object.entries(SILENT_TOGETHER)) {
      const { shows = INDEX } = change;
      const others = together.filter((one) => one !== change);
      const seen = shows === INDEX ? index : await shown(shows, together);
      if (isDeepStrictEqual(await shown(shows, others), seen)) hidden.push(id);
    }

    expect(hidden).toEqual([]);
  }, 180_000);

  it.each<[string, RunMode, 'a user' | 'nobody', number, (readonly string[])?]>([
    ['b', 'full', 'a user', 0.95],
    // B has the rest of A too.
    ['a', 'full', 'a user', 0.95, ['blocks.*/**', 'index/**', 'namespaces/**', 'routes/**']],
    ['b', 'validate', 'nobody', 0.85],
  ])(
    'of %s are asserted by no check in mode %s for %s',
    async (deployment, mode, caller, share, only = []) => {
      const credentials = caller === 'nobody' ? OTHER_CREDENTIALS : {};
      const changes = changesOn(deployment, { ...SILENT_TOGETHER, ...credentials });
      const { results } = await run({ deployment, changes, mode, caller, only });

      expect(withVerdict(results, 'fail', 'warn', 'error')).toEqual([]);
      const ran = results.size - withVerdict(results, 'skip').length;
      expect(withVerdict(results, 'pass').length).toBeGreaterThan(share * ran);
    },
    180_000,
  );

  it('cost a site whose plugins take values of any type no more than warnings of just that', async () => {
    const changes = Object.values(LENIENT_PLUGINS);
    const only = ['*.*/**/enforced'];
    const { results } = await run({ deployment: 'b', changes, mode: 'full', caller: 'a user', only });
    const warned = [...results.values()].filter(({ verdict }) => verdict === 'warn').map(({ id }) => id);

    expect(withVerdict(results, 'fail', 'error')).toEqual([]);
    expect(warned.filter((id) => !id.endsWith('/type/enforced'))).toEqual([]);
    expect(warned.length).toBeGreaterThan(50);
  }, 180_000);

  it('leave nothing open on a site that refuses unknown parameters', async () => {
    const changes = [ALL_CHANGES['unknown-parameters']].filter((one) => one !== undefined);
    const only = ['{posts.list/fuzz/stable,*revisions.list/orderby/enum/accepted}'];
    const { results } = await run({ deployment: 'core', changes, mode: 'read', caller: 'a user', only });

    expect(withVerdict(results, 'fail', 'inconclusive')).toEqual([]);
  }, 180_000);

  it('let a site ask for patience', async () => {
    const only = ['oembed.*/**', 'pages.list/per_page/**'];
    const about = { deployment: 'core', mode: 'read', caller: 'nobody', only } as const;
    const reported = await run({ ...about, changes: [] });
    const throttled = await run({ ...about, changes: [impatient()] });

    expect(throttled.retries).toBeGreaterThan(0);
    expect(verdicts(throttled.results)).toEqual(verdicts(reported.results));
  }, 180_000);
});

/** A site that throttles some reads once. In a whole run it would cost minutes of waiting. */
function impatient(): Change {
  let answered = 0;
  return {
    behaviour: sending((shown, { method }) => {
      answered += 1;
      if (method !== 'GET' || answered % 25 !== 0) return shown;
      return answer({ code: 'later' }, 429, { 'Retry-After': '0' });
    }),
  };
}
