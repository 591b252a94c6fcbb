import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { print } from './print.ts';

function printed(text: string, longest?: number): string {
  const stream = new PassThrough();
  print(stream, text, longest);
  return String(stream.read() ?? '');
}

describe('print', () => {
  it.each([
    ['::error::owned', '\\u003a:error::owned'],
    ['  ::add-mask::x', '  \\u003a:add-mask::x'],
    ['\r::error::owned', '\r\\u003a:error::owned'],
    ['observed ##[error]owned', 'observed #\\u0023[error]owned'],
    ['##vso[task.setvariable]x', '#\\u0023vso[task.setvariable]x'],
    ["##teamcity[message text='x']", "#\\u0023teamcity[message text='x']"],
    ['###[group]', '##\\u0023[group]'],
  ])('shows the command %j to a CI server as %j', (command, shown) => {
    expect(printed(`first\n${command}\nlast\n`)).toBe(`first\n${shown}\nlast\n`);
  });

  it('leaves other text as it is', () => {
    const text = '── posts::list ── ## heading [1] ##\n  a::b\n\u001b[31mred\u001b[39m\n';

    expect(printed(text)).toBe(text);
  });

  it('truncates lines for people, but not for programs', () => {
    const long = 'x'.repeat(5000);

    expect(printed(`a\n${long}\nb\n`)).toBe(`a\n${'x'.repeat(4000)}… (5000 characters)\nb\n`);
    expect(printed(`${long}\n`, Number.POSITIVE_INFINITY)).toBe(`${long}\n`);
  });

  it('keeps JSON unchanged in meaning', () => {
    const value = { text: '##[error] ::error::', ':': '##vso[x]' };

    expect(JSON.parse(printed(JSON.stringify(value, null, 2)))).toEqual(value);
  });
});
