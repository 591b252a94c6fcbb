import { operationPlace, type Places } from '../compare/checks/places.ts';
import { selectorOf } from '../engine/glob.ts';
import type { CheckResult } from '../engine/result.ts';
import { visibleLine } from '../engine/text.ts';
import { type Requirement, textsOf } from '../specs/texts.ts';

/** A section of the specification for people: `§4.6`, or a word such as `published`. */
export function sectionName(section: string): string {
  return /^\d/.test(section) ? `§${section}` : section;
}

/** The same with the basis, unless it is the same word: `§4.6 (implied)`. */
export function sectionWithBasis({ section, basis }: Pick<CheckResult, 'section' | 'basis'>): string {
  return section === basis ? sectionName(section) : `${sectionName(section)} (${basis})`;
}

/** What a basis means. */
export const BASIS: Readonly<Record<CheckResult['basis'], string>> = {
  stated: 'stated: the section states it',
  implied: 'implied: it follows from the section',
  published: 'published: the site itself publishes it; a difference is a warning',
  doubtful: 'doubtful: stated, but known software differs, so a difference is a warning',
};

/** What a check is about, as --only accepts it: `GET /wp/v2/posts per_page`; undefined if that is not known. */
export function placeOf(
  { operation, parameter }: Pick<CheckResult, 'operation' | 'parameter'>,
  operations: Places = {},
): string | undefined {
  const place = operationPlace(operation, operations);
  if (place === undefined) return undefined;
  const { methods, route, words = {} } = place;
  const name = parameter !== undefined && Object.hasOwn(words, parameter) ? words[parameter] : parameter;
  return visibleLine(`${methods.join(', ')} ${route}${name === undefined ? '' : ` ${name}`}`);
}

/** The name of a check for people: its place on the target, then its id. */
export function nameOf(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter'>,
  operations?: Places,
): string {
  const place = placeOf(check, operations);
  const id = visibleLine(check.id);
  return place === undefined ? id : `${place} (${id})`;
}

let rows: readonly (readonly [requirement: Requirement, selects: (id: string) => boolean])[] | undefined;
const found = new Map<string, Requirement | undefined>();

/** The requirement of a check, by its id; undefined if it is only stated in an operation file. */
export function requirementOf(id: string): Requirement | undefined {
  if (found.has(id)) return found.get(id);
  rows ??= textsOf('requirements').map((one) => [one, selectorOfAll(one.checks ?? [])] as const);
  const requirement = rows.find(([, selects]) => selects(id))?.[0];
  found.set(id, requirement);
  return requirement;
}

/** A glob also selects everything below it. */
function selectorOfAll(globs: readonly string[]): (id: string) => boolean {
  const selectors = globs.flatMap((glob) => [selectorOf(glob), selectorOf(`${glob}/**`)]);
  return (id) => selectors.some((selects) => selects(id));
}

/** Anchors of the page do not begin with it, so a check id cannot replace one. */
const OF_CHECKS = '/';
/** Our own ids are shorter. */
const LONGEST_ANCHOR = 300;

/** The anchor of a check, the same on the page of every run. */
export function anchorOf(id: string): string {
  return OF_CHECKS + id.toWellFormed().slice(0, LONGEST_ANCHOR).replaceAll(/\s/g, '_');
}

/** A link to a check on the same page. Added to the path of `report.html`, it works from elsewhere. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(anchorOf(id)).replaceAll('%2F', '/')}`;
}
