import { describe, expect, it, onTestFinished } from 'vitest';
import { runAgainst } from '../../../prove/kill.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';
import { recorder } from '../../recorder.fixture.ts';
import { whyNever } from './control.ts';

const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });

describe('a removal in mode full', () => {
  /** Counts the valid calls of a removal at a path, and collects the reasons of its checks. */
  const removing = async (path: string): Promise<{ done: number; reasons: Set<string | undefined> }> => {
    const site = await serve({ deployment: 'b' });
    onTestFinished(() => site.close());
    const { url, seen } = await recorder(site.url);
    const id = 'builder.favorites.remove';
    const operations = contract.operations.map((one) =>
      one.id === id ? { ...one, route: { ...one.route, path } } : one,
    );
    const renamed = { ...contract, operations };
    const { results } = await runAgainst(
      { ...site, url },
      {
        contract: renamed,
        checks: allChecks(renamed),
        only: [`${id}/{answers,favorite}/**`],
        mode: 'full',
      },
    );
    const done = seen.filter(({ method, status }) => method === 'DELETE' && status < 400).length;
    const open = [...results.values()].filter(({ verdict }) => verdict === 'inconclusive');
    return { done, reasons: new Set(open.map(({ message }) => message)) };
  };

  it('is tested', async () => {
    expect((await removing('/builder/v1/favorites/{id}')).done).toBeGreaterThan(0);
  });

  it.each(['/builder/v1/members/me', '/cms/v2/users/{id}', '/cms/v2/users/{id}/application-passwords'])(
    'is not tested if it could remove the user of the run: %s',
    async (path) => {
      const { done, reasons } = await removing(path);

      expect(done).toBe(0);
      expect([...reasons]).toContain('a valid call could take away the user of the run, or its password');
    },
  );
});

describe('a call that creates credentials', () => {
  const reasonFor = (path: string): string | undefined => {
    const one = contract.operations.find(({ id }) => id === 'builder.favorites.remove');
    if (one === undefined) throw new Error('no such operation');
    return whyNever({ ...one, methods: ['POST'], route: { ...one.route, path } })?.message;
  };

  it.each(['/cms/v2/users/{user_id}/application-passwords', '/shop/v1/keys', '/shop/v1/access_token/{id}'])(
    'is never sent validly: %s',
    (path) => {
      expect(reasonFor(path)).toBe('a valid call could leave a password or a key on the site');
    },
  );

  it.each(['/seo/v1/keyphrases', '/builder/v1/settings/{key}', '/shop/v1/keys/{id}/names'])(
    'does not include %s',
    (path) => {
      expect(reasonFor(path)).toBeUndefined();
    },
  );
});
