import { hash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import { handling, healthy } from '../../sites/alterations/handling.ts';
import { isGiven } from '../../sites/alterations/selecting.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { serve } from '../../sites/reference/serve.ts';
import type { Alter } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const checks = allChecks(contract);

/** `verdict id` of the checks of excluded parameters that did not pass. */
async function reported(
  behaviour: Alter,
  seed: 'full' | 'empty' = 'full',
  only: readonly string[] = ['*.list/*/absent/ignored'],
): Promise<string[]> {
  const site = await serve({ deployment: 'core', behaviour, seed });
  onTestFinished(() => site.close());
  const { results } = await runInProcess({ url: site.url, contract, checks, mode: 'read', only });
  return [...results.values()]
    .filter(({ verdict, message }) => verdict !== 'pass' && message !== 'not selected by --only')
    .map(({ verdict, id }) => `${verdict} ${id}`);
}

describe('a list with a parameter that the contract excludes', () => {
  it('passes if the list ignores all of them', async () => {
    expect(await reported(() => ({}))).toEqual([]);
  });

  it('is distinguished from a member that changes by itself, as is a default', async () => {
    let now = 0;
    const counting = handling('pages.list', async (call) => {
      const { body, ...answer } = await healthy(call);
      const pages: JsonObject[] = Array.isArray(body) ? body.filter((page) => isObject(page)) : [];
      const shown = isGiven(call, 'sticky') || isGiven(call, 'order') ? pages.slice(1) : pages;
      now += 1;
      return { ...answer, body: shown.map((page) => ({ ...page, plugin_expires: now })) };
    });
    const only = ['pages.list/*/absent/ignored', 'pages.list/{context,order,page}/default/applied'];

    expect(await reported(counting, 'full', only)).toEqual([
      'fail pages.list/order/default/applied',
      'fail pages.list/sticky/absent/ignored',
    ]);
  });

  it('does not take a word that a cache keeps for each address for another default', async () => {
    const kept = handling('oembed.embed', async (call) => {
      const { body, ...answer } = await healthy(call);
      const secret = hash('sha256', JSON.stringify(call.request.query));
      const html = `<blockquote data-secret="${secret}">`;
      return { ...answer, body: isObject(body) && 'html' in body ? { ...body, html } : body };
    });

    expect(await reported(kept, 'full', ['oembed.embed/*/default/applied'])).toEqual([]);
  });

  it('passes if the list refuses them', async () => {
    const strict = handling('media.list', (call) => {
      if (isGiven(call, 'format')) throw new Refusal('rest_unknown_param', 'Unknown.', 400);
      return healthy(call);
    });

    expect(await reported(strict)).toEqual([]);
  });

  it('fails if one causes a server error', async () => {
    const breaking = handling('media.list', (call) => {
      if (isGiven(call, 'menu_order')) throw new Error('no such column');
      return healthy(call);
    });

    expect(await reported(breaking)).toEqual(['fail media.list/menu_order/absent/ignored']);
  });

  it('is inconclusive if no record is visible', async () => {
    const verdicts = await reported(() => ({}), 'empty');

    expect(verdicts).toContain('inconclusive pages.list/sticky/absent/ignored');
    expect(verdicts.filter((one) => !one.startsWith('inconclusive'))).toEqual([]);
  });
});
