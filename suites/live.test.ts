import { expect, it } from 'vitest';
import type { FuzzCoverage } from '../engine/fuzz-options.ts';
import { testSession } from '../engine/session.fixture.ts';
import { hearLive, type Live, liveOf, tellLive } from './live.ts';

function tried(changes: Partial<FuzzCoverage>): FuzzCoverage {
  const pairs = { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] };
  return { judged: 0, planned: 0, phases: {}, found: 0, parameters: {}, pairs, untried: [], ...changes };
}

it('names each search that is under way with its phase, how far it is and what it has found', () => {
  const session = testSession();
  const phases = {
    boundary: { judged: 4, planned: 4 },
    pairs: { judged: 3, planned: 6 },
    random: { judged: 0, planned: 9 },
  };
  session.tried.set('posts.list/fuzz/accepted', tried({ phases, found: 2 }));
  session.tried.set('pages.list/fuzz/accepted', tried({ phases: { random: { judged: 9, planned: 9 } } }));
  session.tried.set('media.list/fuzz/accepted', tried({ phases, ended: 'the search ends at 4 findings' }));

  expect(liveOf(session)).toEqual({
    requests: 0,
    searches: [{ check: 'posts.list/fuzz/accepted', phase: 'pairs', judged: 3, planned: 6, found: 2 }],
  });
});

it('tells it to whoever hears, and is silent after its end', async () => {
  const { promise, resolve } = Promise.withResolvers<Live>();
  const deaf = hearLive('test of live', resolve);
  const end = tellLive('test of live', testSession(), () => 'stage');

  expect(await promise).toEqual({ requests: 0, searches: [], interlude: 'stage' });
  end();
  deaf();
});
