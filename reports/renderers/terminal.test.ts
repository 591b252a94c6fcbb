import { describe, expect, it } from 'vitest';
import { renderTerminal, wantsColour } from './terminal.ts';

it('colours any output, because the caller has decided', () => {
  const shown = (colour: boolean): string =>
    renderTerminal({ heading: 'text', tone: 'pass', foot: '' }, { colour, width: 80 });

  expect(shown(false)).toBe('text\n');
  expect(shown(true)).toBe('\u001b[32mtext\u001b[39m\n');
});

describe('wantsColour', () => {
  it.each<[boolean, { isTTY?: boolean }, Record<string, string>]>([
    [true, { isTTY: true }, {}],
    [false, {}, {}],
    [false, { isTTY: true }, { TERM: 'dumb' }],
    [false, { isTTY: true }, { NO_COLOR: '1' }],
    [true, { isTTY: true }, { NO_COLOR: '' }],
    [true, {}, { FORCE_COLOR: '1' }],
    [true, {}, { FORCE_COLOR: '' }],
    [false, { isTTY: true }, { FORCE_COLOR: '0' }],
    [true, {}, { FORCE_COLOR: '1', NO_COLOR: '1' }],
  ])('is %s for %j with %j', (colour, stream, env) => {
    expect(wantsColour(stream, env)).toBe(colour);
  });
});
