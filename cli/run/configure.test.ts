import { describe, expect, it } from 'vitest';
import type { ConfigFile } from '../config.ts';
import type { Settings } from '../options.ts';
import { resolveTargets } from './configure.ts';

const SITE = 'http://127.0.0.1:8080';

function one(given: Settings, config: ConfigFile = {}): ReturnType<typeof resolveTargets>[number] {
  const [target, ...more] = resolveTargets(given, config, { SITE_CONFORMANCE_PASSWORD: 'abcd efgh' });
  if (target === undefined || more.length > 0) throw new Error('expected one target');
  return target;
}

describe('resolveTargets', () => {
  it('defaults to both embedded deployments, in the mode that alters them', () => {
    expect(resolveTargets({}, {}, {})).toMatchObject([
      { embedded: true, deployment: 'a', mode: 'full' },
      { embedded: true, deployment: 'b', mode: 'full' },
    ]);
  });

  it('defaults to mode read for a site, even on this machine', () => {
    expect(one({ target: SITE })).toMatchObject({ base: new URL(SITE), deployment: 'core', mode: 'read' });
    expect(one({ target: SITE, mode: 'write' }).mode).toBe('write');
  });

  it('takes one or several files of waivers; the command line replaces configured ones', () => {
    expect(one({ target: SITE }, { waivers: 'known' }).waivers).toEqual(['known']);
    expect(one({ target: SITE }, { waivers: ['known', 'a.json'] }).waivers).toEqual(['known', 'a.json']);
    expect(one({ target: SITE, waivers: ['b.json'] }, { waivers: 'known' }).waivers).toEqual(['b.json']);
    expect(one({ target: SITE }).waivers).toEqual([]);
  });

  it('prefers the command line to a named target, that to the rest of the file, and that to the defaults', () => {
    const config: ConfigFile = {
      concurrency: 1,
      rate: 1,
      timeout: 1,
      target: 'staging',
      targets: { staging: { url: SITE, rate: 2, timeout: 2, mode: 'validate' } },
    };

    expect(one({ timeout: 3 }, config)).toMatchObject({
      base: new URL(SITE),
      concurrency: 1,
      rate: 2,
      timeout: 3,
      mode: 'validate',
      out: 'reports/out',
    });
  });

  it('allows writing off this machine only on the host that is named', () => {
    const off = { target: 'https://staging.example.org', mode: 'write' } as const;

    expect(() => one(off)).toThrow(
      /^mode write sends more than reads to staging\.example\.org, .* add --confirm-host staging\.example\.org/,
    );
    expect(() => one({ ...off, confirmHost: 'example.org' })).toThrow('does not name the host of the target');
    expect(one({ ...off, confirmHost: 'staging.example.org' }).mode).toBe('write');
  });

  it('reads headers, whose names are the same in any case', () => {
    const header = ['Cookie: a=b; c=d', 'X-Staging:open sesame'];

    expect(one({ target: SITE, header }).headers).toEqual({ cookie: 'a=b; c=d', 'x-staging': 'open sesame' });
  });

  it.each(['X-A: a\nX-B: b', 'X A: b', ': b', 'X-A'])(
    'refuses the header %j without repeating it',
    (header) => {
      expect(() => one({ target: SITE, header: [header] })).toThrow(
        /^--header: one of the headers is not of the form 'Name: value'$/,
      );
    },
  );

  it('takes the password of each further caller from its own variable, and refuses a caller without one', () => {
    const callers = { anonymous: {}, editor: { user: 'erika', passwordFrom: 'EDITOR' } };
    const [target] = resolveTargets({ target: SITE }, { callers }, { EDITOR: 'ijkl mnop' });

    expect(target?.callers).toEqual([
      { name: 'anonymous' },
      { name: 'editor', user: 'erika', password: 'ijkl mnop', passwordFrom: 'EDITOR' },
    ]);
    expect(() => one({ target: SITE }, { callers })).toThrow('callers: editor: the password is expected');
    expect(() => one({}, { callers })).toThrow('callers need a target');
  });

  it('takes a seed, or chooses one', () => {
    expect(one({ target: SITE, seed: 7 }).seed).toBe(7);
    expect(one({ target: SITE }).seed).toBeGreaterThanOrEqual(0);
  });
});
