import { describe, expect, it } from 'vitest';
import { argumentsFromEnvironment, readSettings } from './read-options.ts';

function settings(env: Record<string, string>): unknown {
  const prefixed = Object.entries(env).map(([name, value]) => [`SITE_CONFORMANCE_${name}`, value]);
  return readSettings(argumentsFromEnvironment(Object.fromEntries(prefixed)));
}

describe('the settings in the environment', () => {
  it('are read like the options of run', () => {
    const env = {
      TARGET: 'http://127.0.0.1:1',
      CONFIRM_HOST: 'example.org',
      ONLY: 'posts.list/** !x\n index/**',
      HEADER: 'X-One: a b\nX-Two: c',
      SEED: '7',
      TIMEOUT: '0.5',
      BUDGET: '90',
      HINTS: 'my hints.json',
      WAIVERS: 'known\nmy waivers.json',
      SOFTWARE: 'WordPress 7.1.1',
      STRICT: 'true',
      ALLURE: 'false',
      CONFIG: 'my.json',
    };

    expect(settings(env)).toEqual({
      target: 'http://127.0.0.1:1',
      confirmHost: 'example.org',
      only: ['posts.list/**', '!x', 'index/**'],
      header: ['X-One: a b', 'X-Two: c'],
      seed: 7,
      timeout: 0.5,
      budget: 90,
      hints: 'my hints.json',
      waivers: ['known', 'my waivers.json'],
      software: 'WordPress 7.1.1',
      strict: true,
      config: 'my.json',
    });
  });

  it('are absent if empty, and exclude those of other tools', () => {
    expect(settings({ MODE: '', PASSWORD: 'secret', CACHE: '/cache' })).toEqual({});
    expect(argumentsFromEnvironment({ PATH: '/bin', MODE: 'full' })).toEqual([]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a misspelt name', { MOED: 'read' }, /SITE_CONFORMANCE_MOED.*did you mean SITE_CONFORMANCE_MODE\?/],
    ['a value that is none of the choices', { MODE: 'wirte' }, /in the environment: option '--mode <mode>'/],
    ['a number out of bounds', { CONCURRENCY: '65' }, /'--concurrency <n>'.*from 1 to 64/],
    [
      'a replay, which vitest cannot report',
      { REPLAY: 'a/fuzz/b' },
      /the environment has SITE_CONFORMANCE_REPLAY, which is no option of a run/,
    ],
    ['a switch that is neither on nor off', { STRICT: '0' }, /SITE_CONFORMANCE_STRICT is true or false/],
  ])('are refused for %s', (_what, env, message) => {
    expect(() => settings(env)).toThrow(message);
  });
});
