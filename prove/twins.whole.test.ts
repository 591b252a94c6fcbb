import { describe, expect, it } from 'vitest';
import { isObject } from '../client/json.ts';
import type { Served } from '../sites/reference/serve.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { ofShard } from './share.ts';
import { TODAY } from './todays-share.fixture.ts';
import { compareReferences, harmlessTwins, isNamedOnce, seededDifferences, send } from './twins.fixture.ts';

const EXAMPLES = 3;

const deployment = smallDeployment(() => {});
const differences = seededDifferences(deployment);
const harmless = harmlessTwins(deployment);

/** A second writer on both sites, who creates, changes and deletes records on the second site a moment later. */
async function writeOn(first: Served, second: Served, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${first.url}/?rest_route=/cms/v2/posts`);
  const posts: unknown = await answer.json();
  const known = Array.isArray(posts) && isObject(posts[1]) ? posts[1].id : '';
  for (let at = 0; !signal.aborted; at += 1) {
    for (const site of [first, second]) {
      const made = await send(site, 'POST', '/cms/v2/posts', { title: `Draft ${at}`, status: 'publish' });
      await send(site, 'POST', `/cms/v2/posts/${String(known)}`, {
        title: `Changed ${at}`,
        sticky: at % 2 === 0,
      });
      const id = isObject(made) ? String(made.id) : '';
      await send(site, 'DELETE', `/cms/v2/posts/${id}`, { force: true });
    }
  }
}

describe('two reference sites', { timeout: 120_000 }, () => {
  it('are held to a hundred differences at least, and to thirty that are harmless', () => {
    expect(differences.length).toBeGreaterThanOrEqual(100);
    expect(harmless.length).toBeGreaterThanOrEqual(30);
  });

  it.each(ofShard(differences, TODAY))('are distinguished once by $id', async (one) => {
    const { comparison } = await compareReferences({
      deployment,
      before: { behaviour: one.before },
      after: { behaviour: one.after },
      examples: EXAMPLES,
    });
    expect([isNamedOnce(one, comparison), comparison.groups.map(({ headline }) => headline)]).toEqual([
      true,
      expect.arrayContaining([expect.any(String)]),
    ]);
  });

  it.each(ofShard(harmless, TODAY))('are alike to callers with $id', async (one) => {
    const { comparison } = await compareReferences({ deployment, before: {}, examples: EXAMPLES, ...one });
    const others = comparison.groups.filter((group) => group.class !== 'compatible');
    expect(others.map(({ headline }) => headline)).toEqual([]);
  });

  it('are alike while somebody writes on both', async () => {
    const { comparison } = await compareReferences({
      deployment,
      before: {},
      after: {},
      examples: EXAMPLES,
      during: writeOn,
    });
    expect(comparison.groups.map(({ headline }) => headline)).toEqual([]);
  });
});
