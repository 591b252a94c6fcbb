import { styleText } from 'node:util';
import type { Verdict } from '../engine/result.ts';

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
