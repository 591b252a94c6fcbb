import { type ChangeSpec, change } from '../../compare/change.ts';
import { type Comparison, concluded } from '../../compare/comparison.ts';
import type { Fleet } from '../../compare/fleet/document.ts';
import {
  downShare,
  failingCheck,
  sampleFleet as fleetOf,
  sampleShare,
} from '../../compare/fleet/fleet.fixture.ts';
import { groupsOf } from '../../compare/groups/groups.ts';
import { type History, historyOf, Roll } from '../../compare/history/history.ts';
import { seriesRun } from '../../compare/history/run.fixture.ts';

const WHEN = '2025-03-04T05:06:07.000Z';

/** An upgrade that narrows a parameter of two routes and adds a namespace. */
export function sampleComparison(): Comparison {
  const narrowed = (route: string): ChangeSpec => ({
    id: `index/routes/${route}/GET/per_page/maximum`,
    kind: 'constraint',
    effect: 'narrows',
    owner: 'wp/v2',
    place: `GET ${route}`,
    subject: 'per_page maximum',
    before: 100,
    after: 50,
  });
  const posts = narrowed('/wp/v2/posts');
  const check = { id: 'checks/posts.list/per_page', kind: 'check-untold', owner: 'site' } as const;
  const added = { id: 'index/namespaces/acme/v1', kind: 'namespace-added', owner: 'acme/v1' } as const;
  const changes = [
    change(posts),
    change(narrowed('/wp/v2/pages')),
    change({ ...check, place: 'posts.list/per_page', subject: 'a check', cause: posts.id }),
    change({ ...added, place: 'the namespace acme/v1', subject: 'namespace' }),
    ...['inconclusive before: no such record', 'skip before: over budget'].flatMap((reason, at) =>
      ['a', 'b'].map((name) => {
        const place = `pages.list/${name}${at}`;
        return change({ ...check, id: `checks/${place}`, place, subject: `check ${place}`, reason });
      }),
    ),
  ];
  return {
    ...concluded(changes),
    before: { kind: 'run', url: 'https://staging.example.test/', taken: WHEN, id: 'r1' },
    after: { kind: 'run', url: 'https://staging.example.test/', taken: WHEN, id: 'r2' },
    looked: { namespaces: 5, routes: 130, parameters: 1500, checks: 3000 },
    notes: [
      'the runs differ in their mode: read before, write after',
      `the runs differ in their contract: sha256:${'a9'.repeat(32)} before, sha256:${'ee'.repeat(32)} after`,
    ],
    groups: groupsOf(changes),
  };
}

/** Five sites: one worse than before for two reasons, one down, three healthy. */
export function sampleFleet(): Fleet {
  const known = failingCheck('posts.list/per_page/maximum/enforced');
  const fresh = failingCheck('seo.get-head/url/required/enforced');
  const counts = { still: 1, fixed: 0, untold: 0, vanished: 0, unstable: 0 };
  const baseline = { run: 'b', started: WHEN, new: 1, ...counts, worst: [fresh.id] };
  const namespaces = ['wp/v2'];
  return fleetOf(
    [
      sampleShare('shop', [known, { ...fresh, isNew: true }], { baseline, namespaces }),
      downShare('down'),
      sampleShare('blog', [{ ...fresh, waived: true }], { namespaces }),
      sampleShare('docs', [], { namespaces }),
      sampleShare('news', [], { namespaces }),
    ],
    { notes: ['no baseline for down: it was not evaluated then'] },
  );
}

/** Five runs of one site: one check fails always, one is fixed, one is waived, and one comes and goes. */
export function sampleHistory(): History {
  const roll = new Roll();
  for (const [at, word] of ['fppp', 'fppf', 'ffap', 'ffaf', 'fpap'].entries()) {
    const { run, ...result } = seriesRun(at, word);
    roll.add({ ...result, run: { ...run, ...(at === 1 && { ended: 'budget' }) } });
  }
  return historyOf(roll, { repeated: 1, notes: ['one file could not be read: old/results.json'] });
}
