import { describe, expect, it } from 'vitest';
import { sampleCheck } from '../engine/result.fixture.ts';
import { parseEvent } from './read-events.ts';

describe('parseEvent', () => {
  it('returns what was written, including unknown members', () => {
    const event = { event: 'check', check: { ...sampleCheck({ reproduce: ['curl x'] }), later: true } };

    expect(parseEvent(JSON.stringify(event))).toEqual(event);
  });

  it.each([
    ['an unknown event', { event: 'toString' }, /not a known event/],
    ['no event', [], /not a known event/],
    [
      'a verdict that there is not',
      { event: 'check', check: { ...sampleCheck({}), verdict: 'green' } },
      /\/check\/verdict/,
    ],
    ['a missing member', { event: 'notice', notice: { id: 'x' } }, /'message'/],
  ])('refuses %s', (_case, event, why) => {
    expect(() => parseEvent(JSON.stringify(event))).toThrow(why);
  });

  it('refuses what is not JSON', () => {
    expect(() => parseEvent('{"event":"che')).toThrow(SyntaxError);
  });
});
