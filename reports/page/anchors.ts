/** No anchor of the page itself begins with it, so that no check id can take the place of one. */
const OF_CHECKS = '/';
/** Longer ids are not ours. */
const LONGEST = 300;

/** The name of the place where a check stands on its page: the same on every page of every run. */
export function anchorOf(id: string): string {
  return OF_CHECKS + id.toWellFormed().slice(0, LONGEST).replaceAll(/\s/g, '_');
}

/** A link to the place of a check on the same page, and, behind the path of `report.html`, from elsewhere. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(anchorOf(id)).replaceAll('%2F', '/')}`;
}
