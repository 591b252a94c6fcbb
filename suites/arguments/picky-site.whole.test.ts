import { describe, expect, it } from 'vitest';
import type { RunMode } from '../../client/mode.ts';
import type { CheckResult } from '../../engine/result.ts';
import type { OwnerHints } from '../../engine/session.ts';
import { runOnReference } from '../../prove/kill.ts';
import { together } from '../../sites/alterations/alteration.ts';
import { findMutant, variantsOf } from '../../sites/alterations/catalogue.ts';
import { handling, healthy } from '../../sites/alterations/handling.ts';
import { picky } from '../../sites/alterations/picky.ts';
import { loadContract as loadRaw } from '../../sites/reference/load-contract.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Alter, Handler } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const raw = loadRaw('b');
const PLUGINS = ['{seo,builder,builder-one,builder-documents}.*/**', 'oembed.*/**', 'posts.list/**'];
/** Many checks run in parallel. */
const LONG = { timeout: 120_000 };
const checks = allChecks(contract);

interface Run {
  readonly mode?: RunMode;
  readonly only?: readonly string[];
  readonly hints?: OwnerHints;
}

async function resultsOf(behaviour: Alter, run: Run = {}): Promise<CheckResult[]> {
  const on = { deployment: 'b', alterations: [{ behaviour }], contract, checks } as const;
  const { results } = await runOnReference({ ...on, mode: 'full', only: PLUGINS, ...run });
  return [...results.values()];
}

const reported = (results: CheckResult[]): string[] =>
  results.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict)).map(({ id }) => id);

/** Checks without an accepted control, as data or in words. */
const withoutControl = (results: CheckResult[]): string[] =>
  results
    .filter(({ controls, message = '' }) => controls !== undefined || /not accepted/.test(message))
    .map(({ id }) => id);

describe('a site whose plugins only accept names of its own things', () => {
  it('passes: every read has a call that it accepts', LONG, async () => {
    const results = await resultsOf(picky, { mode: 'read' });

    expect(reported(results)).toEqual([]);
    expect(withoutControl(results)).toEqual([]);
  });

  it('is only inconclusive in mode full where values are known to the owner alone', LONG, async () => {
    const results = await resultsOf(picky);

    expect(reported(results)).toEqual([]);
    expect(withoutControl(results)).toEqual([
      'seo.integrations.set-active/active/type/accepted',
      'seo.alerts.dismiss/form',
      'seo.integrations.set-active/form',
      'seo.keywordtool.authenticate/form',
      'seo.ranktracker.authenticate/form',
      'builder.favorites.add/form',
    ]);
  });

  it('is never inconclusive with the hints of its owner', LONG, async () => {
    const hints = {
      'seo.integrations.set-active': { integration: ['analytics'] },
      'seo.alerts.dismiss': { key: ['first-time-notice'] },
      'seo.keywordtool.authenticate': { code: ['the-code-of-the-owner'] },
      'seo.ranktracker.authenticate': { code: ['the-code-of-the-owner'], websiteId: ['4711'] },
      'builder.favorites.add': { id: ['elements', 'widgets'] },
    };
    const results = await resultsOf(picky, { hints });

    expect(reported(results)).toEqual([]);
    expect(withoutControl(results)).toEqual([]);
  });

  it('gets results with the tried calls and the missing hints, as data and in words', LONG, async () => {
    const results = await resultsOf(picky, { only: ['builder.favorites.add/form'] });
    const found = results.find(({ id }) => id === 'builder.favorites.add/form');

    expect(found).toMatchObject({
      verdict: 'inconclusive',
      controls: { tried: 3, wanted: ['id', 'favorite'] },
    });
    expect(found?.message).toMatch(
      /^none of 3 controls.*a hints file may name good values for id, favorite$/,
    );
  });
});

describe('an operation that accepts no call', () => {
  it('gets a limited number of valid calls, once for all its checks', LONG, async () => {
    const asked: string[] = [];
    const refusing = handling('seo.bulk-editor-posts.list', ({ request }) => {
      asked.push(`${request.account?.login} ${JSON.stringify(request.query)}`);
      throw new Refusal('no', 'No.', 400);
    });
    const results = await resultsOf(refusing, { mode: 'read', only: ['seo.bulk-editor-posts.list/**'] });
    const tried = results.flatMap(({ controls }) => controls?.tried ?? []);

    expect(reported(results)).toEqual([]);
    expect(tried.length).toBeGreaterThan(10);
    expect(Math.max(...tried)).toBeLessThanOrEqual(8);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe('a map whose members another argument must name', () => {
  const CLASSES = 'builder.global-classes.update';
  const naming = (isRefused: (names: readonly string[], order: unknown) => boolean): Alter =>
    handling(CLASSES, (call, next) => {
      const { items, order } = call.request.json ?? {};
      if (isRefused(Object.keys(items ?? {}), order)) throw new Refusal('no', 'No.', 400);
      return next(call);
    });

  it('is not reported', LONG, async () => {
    const needing = naming((names, order) => JSON.stringify(names) !== JSON.stringify(order));

    expect(reported(await resultsOf(needing, { only: [`${CLASSES}/**`] }))).toEqual([]);
  });

  it('is refused for what is wrong in its members, and not for their names', LONG, async () => {
    const missing = 'items/members/properties/label/required/enforced';
    const needing = naming((names, order) => JSON.stringify(names) !== JSON.stringify(order));
    const lenient = together(findMutant(raw, `${CLASSES}/${missing}~lenient`).behaviour, needing);
    const results = await resultsOf(lenient, { only: [`${CLASSES}/**`] });

    expect(reported(results)).toContain(`${CLASSES}/${missing}`);
  });

  it('is a warning if it is refused all the same', LONG, async () => {
    const results = await resultsOf(
      naming((names) => names.length > 0),
      { only: [`${CLASSES}/**`] },
    );

    expect(results.flatMap(({ verdict }) => (['fail', 'warn'].includes(verdict) ? [verdict] : []))).toEqual([
      'warn',
    ]);
  });
});

describe('an operation that can only be done once', () => {
  it('is not reported if it refuses a value that it accepted before', LONG, async () => {
    const installed = new Set<string>();
    const once = handling('builder-one.themes.create', (call, next) => {
      const slug = JSON.stringify(call.args.slug);
      if (installed.has(slug)) throw new Refusal('folder_exists', 'It is installed.', 400);
      const answer = next(call);
      installed.add(slug);
      return answer;
    });
    const results = await resultsOf(once, { only: ['builder-one.themes.create/**'] });

    expect(installed.size).toBeGreaterThan(0);
    expect(reported(results)).toEqual([]);
  });
});

/**
 * Deviations of a picky site from the declarations of its plugins: required and typed arguments, limits, members,
 * defaults.
 */
const DEVIATIONS = [
  'seo.file-size/url/required/enforced~lenient',
  'seo.get-head/answers/user~fails',
  'seo.get-head/url/required/enforced~lenient',
  'seo.ai-generator.callback/form~refused',
  'seo.ai-generator.get-suggestions/type/enum/enforced~lenient',
  'seo.ai-generator.get-suggestions/type/enum/accepted~without-taxonomy-seo-title',
  'seo.ai-generator.get-suggestions/language/required/enforced~lenient',
  'seo.ai-content-planner.get-suggestions/editor/enum/enforced~lenient',
  'seo.ai-content-planner.get-suggestions/editor/enum/accepted~without-block',
  'seo.ai-content-planner.get-outline/recent_content/maxItems/enforced~lenient',
  'seo.ai-content-planner.get-outline/recent_content/maxItems/accepted~off-by-one',
  'seo.ai-content-planner.get-outline/recent_content/items/properties/title/maxLength/enforced~lenient',
  'seo.bulk-editor-posts.list/per_page/maximum/enforced~lenient',
  'seo.bulk-editor-posts.list/per_page/maximum/accepted~off-by-one',
  'seo.bulk-editor-posts.list/per_page/default/applied~another',
  'seo.bulk-editor-posts.list/page/minimum/enforced~lenient',
  'seo.bulk-editor-posts.list/status/items/enum/accepted~without-pending',
  'seo.bulk-editor-posts.list/status/default/applied~another',
  'seo.bulk-editor.update-search/items/required/enforced~lenient',
  'seo.readability-scores/contentType/required/enforced~lenient',
  'seo.readability-scores/taxonomy/default/applied~another',
  'seo.seo-scores/troubleshooting/type/accepted~without-false',
  'seo.available-posts.list/postType/default/applied~another',
  'seo.configuration.site-representation/company_or_person/enum/enforced~lenient',
  'seo.configuration.site-representation/company_or_person/enum/accepted~without-company',
  'seo.configuration.check-capability/user_id/required/enforced~lenient',
  'seo.keywordtool.related-keyphrases/country_code/required/enforced~lenient',
  'builder-one.top-bar.notifications/app_version/required/enforced~lenient',
  'builder.global-classes.post/context/default/applied~another',
  'builder.site-navigation.add-new-post/form~refused',
  'seo.bulk-editor.update-social/items/required/enforced~lenient',
  'seo.videohost-embed-permission.update/form~refused',
];

describe('deviations of plugins with undeclared requirements', () => {
  it.each(DEVIATIONS)('are found: %s', LONG, async (id) => {
    const { behaviour, breaks } = findMutant(raw, id);
    const [operation = ''] = breaks.split('/');
    const results = await resultsOf(together(behaviour, picky), { only: [`${operation}/**`] });

    expect(reported(results)).toContain(breaks);
  });
});

it('a form is not refused where another check set the value back before the same JSON', LONG, async () => {
  let value: unknown = true;
  let isSetBack = false;
  const toggle = handling('seo.videohost-embed-permission.update', (call, next) => {
    if (value !== call.args.value) {
      value = call.args.value;
      return next(call);
    }
    const isForm = call.request.headers['content-type']?.includes('urlencoded') === true;
    if (isForm && !isSetBack) {
      isSetBack = true;
      value = !value;
    }
    throw new Refusal('unchanged', 'Nothing changes.', 400);
  });
  const results = await resultsOf(toggle, { only: ['seo.videohost-embed-permission.update/form'] });

  expect(isSetBack).toBe(true);
  expect(reported(results)).toEqual([]);
});

describe('an argument that a list only accepts with another one', () => {
  it('is tested with the other one, and a missing validation of its values is found', LONG, async () => {
    const only = ['posts.list/search_semantics/**'];
    const alone = handling('posts.list', (call, next) => {
      const isAlone = call.args.search_semantics === 'exact' && call.args.search === undefined;
      if (isAlone) throw new Refusal('alone', 'It needs a search.', 400);
      return next(call);
    });
    const lenient = together(
      findMutant(raw, 'posts.list/search_semantics/enum/enforced~lenient').behaviour,
      alone,
    );

    expect(reported(await resultsOf(alone, { mode: 'read', only }))).toEqual([]);
    expect(reported(await resultsOf(lenient, { mode: 'read', only }))).toContain(
      'posts.list/search_semantics/enum/enforced',
    );
  });
});

describe('the plain call of an operation', () => {
  const HEAD = 'seo.get-head/answers';
  const answersOf = async (turn: Handler): Promise<(string | undefined)[]> => {
    const results = await resultsOf(handling('seo.get-head', turn), { only: [`${HEAD}/*`] });
    return results.filter(({ id }) => id.startsWith(HEAD)).map(({ verdict }) => verdict);
  };

  it(
    'counts as refused: a server error for a guessed value without a stated type proves nothing',
    LONG,
    async () => {
      const verdicts = await answersOf(({ request }) => {
        if (typeof request.query.url === 'string') throw new Refusal('no', 'No.', 404);
        throw new Error('a text is expected');
      });

      expect(verdicts).toEqual(['pass', 'pass']);
    },
  );

  it('is not answered if the value that its name suggests causes a server error', LONG, async () => {
    const verdicts = await answersOf(({ request }) => {
      if (!String(request.query.url).startsWith('http')) throw new Refusal('no', 'No.', 400);
      throw new Error('this operation is broken');
    });

    // The same failure for a user is blocked by the one for anybody.
    expect(verdicts).toEqual(['fail', 'skip']);
  });
});

describe('an optional argument that a plugin refuses alone (R51)', () => {
  const SCORES = 'seo.seo-scores';
  const TERM = `${SCORES}/term/type/accepted`;
  const refusing = (isRefused: (query: Record<string, unknown>) => boolean): Alter =>
    handling(SCORES, (call) => {
      if (isRefused(call.request.query)) throw new Refusal('no', 'No.', 400);
      return healthy(call);
    });

  it('is not reported if the site accepts it with an optional sibling', LONG, async () => {
    const results = await resultsOf(
      refusing(({ term, taxonomy }) => term !== undefined && taxonomy === undefined),
      { only: [`${SCORES}/**`] },
    );

    expect(reported(results)).toEqual([]);
    expect(results.find(({ id }) => id === TERM)?.verdict).toBe('pass');
  });

  it('is refused for its type, and not because the sibling is missing', LONG, async () => {
    const enforced = `${SCORES}/term/type/enforced`;
    const lenient = together(
      findMutant(raw, `${enforced}~lenient`).behaviour,
      refusing(({ term, taxonomy }) => term !== undefined && taxonomy === undefined),
      // Nothing names what is refused.
      ...variantsOf('b').flatMap(({ id, behaviour }) => (id === 'error-bodies' ? [behaviour] : [])),
    );

    expect(reported(await resultsOf(lenient, { only: [`${SCORES}/**`] }))).toEqual([enforced]);
  });

  it('is not reported if it is drawn without the sibling that it requires', LONG, async () => {
    const results = await resultsOf(
      refusing(({ term, taxonomy }) => (term === undefined) !== (taxonomy === undefined)),
      { only: [`${SCORES}/**`] },
    );

    expect(reported(results)).toEqual([]);
  });

  it('is tried with those that the refusal names if not all of them go together', LONG, async () => {
    const operation = 'builder.post.list';
    const only = [`${operation}/items_count/type/accepted`];
    const needing = (message: string): Alter =>
      handling(operation, (call) => {
        const { items_count, term, keys_conversion_map, meta_query } = call.request.query;
        const isAlone = term === undefined || keys_conversion_map === undefined;
        if (items_count !== undefined && (isAlone || meta_query !== undefined))
          throw new Refusal('no', message, 400);
        return healthy(call);
      });

    expect(reported(await resultsOf(needing('It needs keys_conversion_map, and a term.'), { only }))).toEqual(
      [],
    );
    expect(reported(await resultsOf(needing('No.'), { only }))).toEqual(only);
  });

  it('is not reported if one value that its name suggests is unknown to the site', LONG, async () => {
    const results = await resultsOf(
      refusing(({ term, taxonomy = '' }) =>
        taxonomy === '' ? term !== undefined : taxonomy !== 'category' || term === undefined,
      ),
      { only: [`${SCORES}/**`] },
    );

    expect(reported(results)).toEqual([]);
  });

  it('is not reported if two names of things do not go together', LONG, async () => {
    const results = await resultsOf(
      refusing(({ contentType, term, taxonomy = '' }) => {
        if (contentType !== 'post' && contentType !== 'page') return true;
        const isTaxonomy = taxonomy === 'category' && contentType === 'post';
        return taxonomy === '' ? term !== undefined : !isTaxonomy || term === undefined;
      }),
      { only: [`${SCORES}/**`] },
    );

    expect(reported(results)).toEqual([]);
  });

  it('is a warning if it is refused with each of them', LONG, async () => {
    const results = await resultsOf(
      refusing(({ term }) => term !== undefined),
      { only: [`${SCORES}/**`] },
    );

    expect(reported(results)).toEqual([TERM]);
    expect(results.find(({ id }) => id === TERM)?.verdict).toBe('warn');
  });
});
