import { describe, expect, it } from 'vitest';
import type { Verdict } from '../engine/result.ts';
import { describeCase } from './describe-case.ts';
import { sampleCheck } from './result.fixture.ts';

describe('describeCase', () => {
  it('has nothing to add to a check that passed', () => {
    expect(describeCase(sampleCheck({ seconds: 0.5 }))).toEqual({
      name: 'posts.list/per_page/maximum: refuses per_page above 100',
      seconds: 0.5,
    });
  });

  it.each<[Verdict, string, Record<string, string>]>([
    ['fail', 'failure', { message: 'm', type: 'fail' }],
    ['error', 'error', { message: 'm', type: 'error' }],
    ['warn', 'skipped', { message: 'warn: m' }],
    ['inconclusive', 'skipped', { message: 'inconclusive: m' }],
    ['skip', 'skipped', { message: 'skip: m' }],
  ])('writes %s as %s', (verdict, element, attributes) => {
    expect(describeCase(sampleCheck({ verdict, message: 'm' })).outcome).toMatchObject({
      element,
      attributes,
    });
  });

  it('tells in the body what was expected, what came and how to repeat it', () => {
    const check = sampleCheck({
      verdict: 'fail',
      message: 'accepted 101',
      expected: 'refused',
      observed: '200\n101 records',
      reproduce: ['curl a', 'curl b'],
    });

    expect(describeCase(check).outcome?.body).toBe(
      [
        'section: §4.6 (stated)',
        'message: accepted 101',
        'expected: refused',
        'observed: 200',
        '101 records',
        'repeat: curl a',
        'repeat: curl b',
      ].join('\n'),
    );
  });

  it('falls back on what was observed, then on the title, for a message', () => {
    const messageOf = (changes: object): string | undefined =>
      describeCase(sampleCheck({ verdict: 'fail', ...changes })).outcome?.attributes.message;

    expect(messageOf({ observed: 'a 200' })).toBe('a 200');
    expect(messageOf({})).toBe('refuses per_page above 100');
  });

  it('keeps hostile text short and visible', () => {
    const { outcome } = describeCase(
      sampleCheck({ verdict: 'fail', message: `\u0000\n${'x'.repeat(9000)}` }),
    );

    expect(outcome?.attributes.message).toMatch(/^\\x00\\nx+… \(9002 characters\)$/);
    expect(outcome?.attributes.message?.length).toBeLessThan(400);
    expect(outcome?.body.length).toBeLessThan(4200);
  });
});
