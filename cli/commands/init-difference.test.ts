import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { isObject } from '../../sites/reference/json.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { refusal, resultIn, tryMain } from '../try-main.fixture.ts';

const SCORES = '/seo/v1/seo_scores';

interface Entry {
  readonly endpoints: { readonly args: Record<string, unknown> }[];
}

/** A site with another version of a plugin: without a route and a parameter, and with a changed declaration. */
async function otherVersion(): Promise<string> {
  const folder = testFolder({
    'site.json': {
      name: 'site',
      title: 'A site with a plugin',
      operations: ['core', 'oembed-1.0', 'seo-v1'],
    },
  });
  const site = await closedAfter(
    serve({
      deployment: join(folder, 'site.json'),
      behaviour: {
        declare: ({ routes }) => {
          if (!isObject(routes)) return;
          delete routes['/seo/v1/workouts'];
          const entry: Entry = JSON.parse(JSON.stringify(routes[SCORES]));
          for (const { args } of entry.endpoints) {
            args.contentType = { type: 'string', enum: ['post'] };
            delete args.term;
          }
          Object.assign(routes, { [SCORES]: entry });
        },
      },
    }),
  );
  return site.url;
}

/** Declares statuses as a plugin does that brings its own in place of drafts. */
function renameDraft(declaration: unknown): void {
  if (!isObject(declaration)) return;
  renameDraft(declaration.items);
  if (!Array.isArray(declaration.enum)) return;
  declaration.enum = declaration.enum.map((word) => (word === 'draft' ? 'assigned' : word));
}

/** Creates the folder of a site, and runs the checks of the index. */
async function tried(
  ...more: string[]
): Promise<{ init: string; run: number; failed: string[]; out: string }> {
  const folder = join(testFolder(), 'site');
  const url = await otherVersion();
  const { stdout, code } = await tryMain('init', '--target', url, '--out', folder, ...more);
  expect(code).toBe(0);
  const config = join(folder, 'site-conformance.config.json');
  const out = join(folder, 'out');
  const run = await tryMain(
    ...['run', '--config', config, '--out', out, '--only', 'seo.seo-scores/**', '--only', 'routes/seo/**'],
  );
  const failed = resultIn(out)
    .checks.filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);
  return { init: stdout, run: run.code, failed, out };
}

describe('init on a site that publishes otherwise than the built-in files say', { timeout: 60_000 }, () => {
  it('reports the differences by route, and amends the contract so that an unchanged site has no failure', async () => {
    const { init, run, failed, out } = await tried();

    expect(init).toContain('the words of the site are the measure there');
    expect(init).toContain('/seo/v1/workouts: does not list the route /seo/v1/workouts');
    expect(init).toContain('GET /seo/v1/seo_scores: contentType is not declared as required');
    expect(init).toContain('GET /seo/v1/seo_scores: term ');
    expect(failed).toEqual([]);
    expect(run).toBe(0);

    // `explain` knows the checks of such a run.
    const { code, stdout } = await tryMain(
      ...['explain', 'seo.seo-scores/contentType/required', '--results', out],
    );

    expect(code).toBe(0);
    expect(stdout).toMatch(/verdict +pass/);
  });

  it('says once what differs in several places alike', async () => {
    const site = await closedAfter(
      serve({
        deployment: 'core',
        behaviour: {
          declare: ({ routes }) => {
            if (!isObject(routes)) return;
            for (const key of ['/cms/v2/posts', '/cms/v2/pages', '/cms/v2/media']) {
              const entry: Entry = JSON.parse(JSON.stringify(routes[key]));
              for (const { args } of entry.endpoints) {
                if (args.order !== undefined)
                  args.order = { type: 'string', enum: ['asc', 'desc', 'none'], default: 'desc' };
              }
              Object.assign(routes, { [key]: entry });
            }
          },
        },
      }),
    );

    const { stdout } = await tryMain('init', '--target', site.url, '--out', join(testFolder(), 'site'));

    expect(stdout.match(/order has another enum/g)).toHaveLength(1);
    expect(stdout).toMatch(/GET \/cms\/v2\/posts, GET \/cms\/v2\/pages and 1 more: order has another enum/);
  });

  it('amends every operation that differs alike', async () => {
    const site = await closedAfter(
      serve({
        deployment: 'core',
        behaviour: {
          declare: ({ routes }) => {
            if (!isObject(routes)) return;
            const own: Record<string, Entry> = JSON.parse(JSON.stringify(routes));
            for (const { args } of Object.values(own).flatMap(({ endpoints }) => endpoints))
              renameDraft(args.status);
            Object.assign(routes, own);
          },
        },
      }),
    );

    const { stdout } = await tryMain('init', '--target', site.url, '--out', join(testFolder(), 'site'));

    expect(stdout).toContain('the words of the site are the measure there');
    expect(stdout).not.toContain('where the built-in files stay the measure');
  });

  it('does not amend a named built-in file, and shows what a run will report', async () => {
    const { init, run, failed } = await tried('--contract', 'seo-v1');

    expect(init).toContain('where the built-in files stay the measure (--contract seo-v1)');
    expect(failed).toContain('routes/seo/v1/workouts/present');
    expect(failed).toContain('seo.seo-scores/term/declared');
    expect(run).toBe(1);
  });

  it('remembers which files are not amended, until others are named', async () => {
    const folder = join(testFolder(), 'site');
    const url = await otherVersion();
    const init = (...more: string[]): ReturnType<typeof tryMain> =>
      tryMain('init', '--target', url, '--out', folder, ...more);
    await init('--contract', 'all');

    expect((await init('--check')).stdout).toContain('nothing has changed');
    expect((await init('--check', '--contract', 'oembed-1.0')).stdout).toContain('"instead"');
  });

  it('refuses the name of a file that does not fit the site, and names the nearest', async () => {
    const url = await otherVersion();

    expect(
      await tryMain('init', '--target', url, '--out', testFolder(), '--contract', 'seo-v2'),
    ).toMatchObject(refusal('did you mean "seo-v1"?'));
  });
});
