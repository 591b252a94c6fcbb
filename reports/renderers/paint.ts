import { styleText } from 'node:util';
import type { Verdict } from '../../engine/result.ts';

/** The styles that reports use; a verdict is a style of its own. */
export type Style = Verdict | 'heading' | 'faint' | 'strong';

/** Puts text into a style, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

const FORMATS: Record<Style, Parameters<typeof styleText>[0]> = {
  pass: 'green',
  fail: ['bold', 'red'],
  error: ['bold', 'magenta'],
  warn: 'yellow',
  inconclusive: 'cyan',
  skip: 'gray',
  heading: 'bold',
  faint: 'gray',
  strong: 'bold',
};

/** A painter that colours, or one that returns every text unchanged. Empty text is never styled. */
export function createPaint(colour: boolean): Paint {
  if (!colour) return (_style, text) => text;
  // The caller has decided: styleText must not look at the standard output again.
  return (style, text) => (text === '' ? '' : styleText(FORMATS[style], text, { validateStream: false }));
}

/**
 * Whether to colour what is written to a stream: `FORCE_COLOR` decides when it is set (`0` and `false` mean no),
 * then a non-empty `NO_COLOR` forbids it, then it needs a terminal that is not `dumb`. The order is that of Node.
 */
export function wantsColour(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
