import { areaOf } from '../engine/check.ts';
import { selectorOf } from '../engine/glob.ts';
import type { CheckResult, RunResult } from '../engine/result.ts';
import { visibleLine } from '../engine/text.ts';
import { loadRequirements, type Requirement } from '../specs/texts.ts';

/** A section of the specification as it is named, `§4.6`; what is no number, such as `published`, is a word of its own. */
export function sectionName(section: string): string {
  return /^\d/.test(section) ? `§${section}` : section;
}

/** The same with what the requirement rests on, where that is another word: `§4.6 (implied)`. */
export function sectionWithBasis({ section, basis }: Pick<CheckResult, 'section' | 'basis'>): string {
  return section === basis ? sectionName(section) : `${sectionName(section)} (${basis})`;
}

/**
 * What a check is about in the words of the target: `GET /wp/v2/posts per_page`, as --only takes it. Undefined where it is
 * about no operation, or the results do not say where that is.
 */
export function placeOf(
  { operation, parameter }: Pick<CheckResult, 'operation' | 'parameter'>,
  operations: RunResult['target']['operations'] = {},
): string | undefined {
  if (operation === undefined || !Object.hasOwn(operations, operation)) return undefined;
  const place = operations[operation];
  if (place === undefined) return undefined;
  const { methods, route, words = {} } = place;
  const name = parameter !== undefined && Object.hasOwn(words, parameter) ? words[parameter] : parameter;
  return visibleLine(`${methods.join(', ')} ${route}${name === undefined ? '' : ` ${name}`}`);
}

/** What a check is called where people read: what the target has, then our id of it. */
export function nameOf(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter'>,
  operations: RunResult['target']['operations'],
): string {
  const place = placeOf(check, operations);
  const id = visibleLine(check.id);
  return place === undefined ? id : `${place} (${id})`;
}

interface Row {
  readonly requirement: Requirement;
  readonly selects: (id: string) => boolean;
}

let rows: readonly Row[] | undefined;
const found = new Map<string, Requirement | undefined>();

/** The requirement that a check belongs to, by its id; undefined where an operation file alone states it. */
export function requirementOf(id: string): Requirement | undefined {
  if (found.has(id)) return found.get(id);
  rows ??= loadRequirements().map((requirement) => ({
    requirement,
    selects: selectorOfAll(requirement.checks ?? []),
  }));
  const requirement = rows.find(({ selects }) => selects(id))?.requirement;
  found.set(id, requirement);
  return requirement;
}

/** A glob selects what lies below it as well. */
function selectorOfAll(globs: readonly string[]): (id: string) => boolean {
  const selectors = globs.flatMap((glob) => [selectorOf(glob), selectorOf(`${glob}/**`)]);
  return (id) => selectors.some((selects) => selects(id));
}

/** The checks of each area (see `areaOf`), areas and checks in the order in which they were given. */
export function groupByArea(checks: readonly CheckResult[]): Map<string, CheckResult[]> {
  const areas = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const area = areaOf(check);
    const members = areas.get(area);
    if (members === undefined) areas.set(area, [check]);
    else members.push(check);
  }
  return areas;
}

/** No anchor of the page itself begins with it, so that no check id can take the place of one. */
const OF_CHECKS = '/';
/** Longer ids are not ours. */
const LONGEST_ANCHOR = 300;

/** The name of the place where a check stands on its page: the same on every page of every run. */
export function anchorOf(id: string): string {
  return OF_CHECKS + id.toWellFormed().slice(0, LONGEST_ANCHOR).replaceAll(/\s/g, '_');
}

/** A link to the place of a check on the same page, and, behind the path of `report.html`, from elsewhere. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(anchorOf(id)).replaceAll('%2F', '/')}`;
}
