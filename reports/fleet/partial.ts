import type { Fleet } from '../../compare/fleet.ts';
import { plural } from '../text.ts';

/** That targets of a fleet were asked a part of their plans only, in words; undefined where all were asked all of them. */
export function partialFleet({ targets }: Pick<Fleet, 'targets'>): string | undefined {
  const narrowed = targets.filter(({ partial }) => partial !== undefined).length;
  if (narrowed === 0) return undefined;
  return `PARTIAL: of ${narrowed} of ${plural(targets.length, 'target')} only a part of the planned checks was asked`;
}
