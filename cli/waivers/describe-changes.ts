import { isDeepStrictEqual } from 'node:util';
import { type Waiver, waiverName } from '../../specs/waivers.ts';

/** What differs between two lists of the same waivers, one line for each member: `~` for what changed, `-` for what went. */
export function describeChanges(before: readonly Waiver[], after: readonly Waiver[]): string[] {
  const later = new Map(after.map((waiver) => [waiverName(waiver), waiver]));
  return before.flatMap((waiver) => {
    const name = waiverName(waiver);
    const now = later.get(name);
    return now === undefined
      ? [`- ${name}`]
      : membersThatDiffer(waiver, now).map((line) => `~ ${name}: ${line}`);
  });
}

function membersThatDiffer(before: Waiver, after: Waiver): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(old.get(name), value))
    .map(([name, value]) => `${name} ${show(old.get(name))} → ${show(value)}`);
}

function show(value: unknown): string {
  return value === undefined ? 'not there' : typeof value === 'string' ? value : JSON.stringify(value);
}
