import { describe, expect, it } from 'vitest';
import { renderField } from './layout.ts';
import { createPaint } from './paint.ts';

const context = { paint: createPaint(false), width: 20 };
const layout = { indent: 2, labelWidth: 4, limit: 100 };

describe('renderField', () => {
  it('hangs further lines under the first', () => {
    expect(renderField('a', 'one two three four', layout, context)).toEqual([
      '  a   one two three',
      '      four',
    ]);
  });

  it('indents the lines of a hostile text, so that they cannot pose as lines of the report', () => {
    expect(renderField('a', 'x\nCONFORMANT\r\u001b[2J', layout, { ...context, width: 80 })).toEqual([
      '  a   x',
      '      CONFORMANT\\r\\x1b[2J',
    ]);
  });

  it('shortens a long text and says how long it was', () => {
    expect(renderField('', 'abcdefgh', { ...layout, limit: 3 }, { ...context, width: 80 })).toEqual([
      '      abc… (8 characters)',
    ]);
  });

  it('cuts a text of many short lines', () => {
    const lines = renderField('a', 'x\n'.repeat(40), layout, context);

    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('      … (41 lines)');
  });

  it('colours label and text apart, after making the text harmless', () => {
    const [line] = renderField(
      'a',
      'b\u001b',
      { ...layout, textStyle: 'pass' },
      { paint: createPaint(true), width: 20 },
    );

    expect(line).toBe('  \u001b[90ma   \u001b[39m\u001b[32mb\\x1b\u001b[39m');
  });
});
