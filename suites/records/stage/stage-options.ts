import type { StageMode } from '../../../engine/run-options.ts';
import type { StageOptions } from '../../../engine/stage.ts';
import { setStage } from './set-stage.ts';

/** How the engine sets the stage of a run; undefined where it does not. */
export function stageOptions(mode: StageMode = 'auto'): StageOptions | undefined {
  if (mode === 'never') return undefined;
  const always = mode === 'always';
  return { always, set: (session, lacking) => setStage(session, lacking, { always }) };
}
