import type { Paint } from './create-paint.ts';

/** What every part of the terminal report needs: how to colour, and how many columns there are. */
export interface RenderContext {
  paint: Paint;
  width: number;
}
