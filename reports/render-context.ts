import type { Paint } from './create-paint.ts';
import type { ReportFile } from './files.ts';

/** What every part of the terminal report needs: how to colour, and how many columns there are. */
export interface RenderContext {
  paint: Paint;
  width: number;
}

/** How to render: whether to colour, the columns of the terminal, and which reports were written. */
export interface TerminalOptions {
  colour: boolean;
  width: number;
  reports: readonly ReportFile[];
  /** The line for a shell that runs one check again. */
  repeat: (id: string) => string;
}
