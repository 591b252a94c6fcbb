import { describe, expect, it } from 'vitest';
import type { RunMode } from '../../client/mode.ts';
import type { Level } from '../../specs/releases.ts';
import { featuresOf } from './features.ts';
import { featuresFor, type Told, tell, unmet, type Way } from './way.fixture.ts';

const passing = ({ results }: Told): string[] =>
  [...results.values()].flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : []));

/** What a step was, and what building it, and nothing else, brought. */
interface Step {
  readonly built: readonly string[];
  /** The checks that the run named and that do not pass now. */
  readonly notMet: readonly string[];
  /** Checks that passed before and do not now. */
  readonly lost: readonly string[];
  /** Checks that waited for it before, and still do. */
  readonly stillWaiting: readonly string[];
  /** How many more of the required checks pass. */
  readonly gained: number;
}

/** Builds what a run says to do next, again and again, until nothing is left to do or enough is done. */
async function follow(from: readonly string[], way: Way, most = 99): Promise<{ steps: Step[]; end: Told }> {
  const steps: Step[] = [];
  let on = featuresOf(from);
  let before = await tell(on, way);
  for (;;) {
    const [next] = before.progress.next;
    if (next === undefined || steps.length === most) return { steps, end: before };
    const built = featuresFor(next, on);
    on = new Set([...on, ...built]);
    const now = await tell(on, way);
    const met = new Set(passing(now));
    const { check } = next;
    steps.push({
      built,
      notMet: [check].filter((id) => !met.has(id)),
      lost: passing(before).filter((id) => !met.has(id)),
      stillWaiting: [...now.results.values()].flatMap(({ id, skip }) =>
        skip?.kind === 'blocked' && skip.by === check ? [id] : [],
      ),
      gained: now.progress.passed - before.progress.passed,
    });
    before = now;
    if (built.length === 0) return { steps, end: before };
  }
}

/** Steps of which one did not bring what the run had said. */
const broken = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(
    ({ built, notMet, lost, stillWaiting, gained }) =>
      built.length === 0 || notMet.length + lost.length + stillWaiting.length > 0 || gained < 1,
  );

it.each<[stage: string, mode: RunMode, level: Level]>([
  ['week', 'read', 'index'],
  ['month', 'read', 'read'],
  ['half-year', 'write', 'write'],
])(
  'reaches after a %s all that mode %s shows of the level %s',
  { timeout: 240_000 },
  async (stage, mode, level) => {
    const told = await tell(featuresOf([stage]), { mode, level });

    expect(unmet(told, level)).toEqual([]);
  },
);

describe('what a run says to do next is what makes the next checks pass', () => {
  it('from nothing to lists of posts that do all that is asked of them', { timeout: 240_000 }, async () => {
    const only = [
      'index/**',
      'namespaces/cms/v2/**',
      'routes/cms/v2/posts/{present,namespace,methods,endpoints}',
      'posts.list/!(fuzz)/**',
    ];
    const { steps, end } = await follow([], { mode: 'read', only });

    expect(broken(steps)).toEqual([]);
    expect(steps[0]?.built).toEqual(['posts.list', 'namespace-content']);
    expect(end.progress.passed).toBe(end.progress.required);
  });

  it('after a week, where the index shows what is not there yet', { timeout: 240_000 }, async () => {
    const only = ['{pages,media}.{list,read}/!(fuzz)/**'];
    const { steps } = await follow(['week'], { mode: 'read', only }, 4);

    expect(broken(steps)).toEqual([]);
    expect(steps.slice(0, 2).map(({ built }) => built)).toEqual([['pages.list'], ['media.list']]);
  });

  it('after a month, with the creation of records', { timeout: 240_000 }, async () => {
    const only = ['posts.{create,update}/{method,record,once,changes,title,excerpt,format,slug}/**'];
    const { steps } = await follow(
      ['month'],
      { mode: 'write', only: [...only, 'posts.create/{record,once}'] },
      5,
    );

    expect(broken(steps)).toEqual([]);
    expect(steps[0]?.built).toEqual(['posts.create']);
  });

  it.each([
    ['trash', ['posts.delete/**', 'states/posts/**']],
    ['unique-slugs', ['slugs/**']],
    ['batch-validation', ['batch/{require-all-validate,normal,one}']],
    ['refusals-of-writes', ['posts.update/*/**/enforced']],
    ['date-fields', ['posts.create/{date,date_gmt,title}/**']],
  ])('after half a year without %s', { timeout: 120_000 }, async (feature, only) => {
    const all = [...featuresOf(['half-year'])].filter((one) => one !== feature && one !== 'whole-index');
    const { steps, end } = await follow(all, { mode: 'write', only });

    expect(broken(steps)).toEqual([]);
    expect(steps.map(({ built }) => built)).toEqual([[feature]]);
    expect(end.progress.passed).toBe(end.progress.required);
  });
});
