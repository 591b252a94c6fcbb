import type { Waiver, WaiverFile } from '../../specs/waivers.ts';

/** The members in the order in which a file shows them; a user's own follow as they came. */
const ORDER: readonly string[] = [
  'check',
  'finding',
  'reason',
  'owner',
  'expires',
  'firstSeen',
  'lastSeen',
  'seenWith',
  'versions',
  'link',
] satisfies (keyof Waiver)[];

/** The text of a file of waivers: sorted by check and finding, the same bytes for the same waivers, and members of the user's own kept. */
export function renderWaiverFile(file: WaiverFile): string {
  const waivers = file.waivers.map(inOrder).toSorted(byCheck);
  return `${JSON.stringify({ ...file, waivers }, undefined, 2)}\n`;
}

function inOrder(waiver: Waiver): Waiver {
  const names = Object.keys(waiver);
  const rank = (name: string): number => {
    const at = ORDER.indexOf(name);
    return at === -1 ? ORDER.length + names.indexOf(name) : at;
  };
  const sorted = Object.entries(waiver).toSorted(([one], [other]) => rank(one) - rank(other));
  return Object.assign(Object.fromEntries(sorted), waiver);
}

/** By code units: the same on every machine. */
function byCheck(one: Waiver, other: Waiver): number {
  return compareTexts(one.check, other.check) || compareTexts(one.finding ?? '', other.finding ?? '');
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
