import type { BeyondNamespace, Notice, RunResult } from '../engine/result.ts';
import { plural, present, shorten, visibleLine } from '../engine/text.ts';

/** Namespaces, and other kinds of notices, that are named one by one. */
const MOST_NAMESPACES = 60;
const MOST_KINDS = 10;
const LONGEST = 40;
const BEYOND = 'extra/namespace';

/** The notices of a run in proportion: a line for each namespace and for each other kind, and what can be done about them. */
interface NoticeDigest {
  readonly lines: readonly string[];
  readonly advice: readonly string[];
}

/** Sums up the notices of a run, so that what a site has beyond the contract does not bury what it does otherwise. */
export function digestNotices({ notices, target }: Pick<RunResult, 'notices' | 'target'>): NoticeDigest {
  const beyond = target.beyond ?? [];
  // Results of older versions have the notices alone.
  const others = beyond.length === 0 ? notices : notices.filter(({ id }) => id !== BEYOND);
  const kinds = [...Map.groupBy(others, ({ id }) => id).values()];
  const left = beyond.length - MOST_NAMESPACES;
  return {
    lines: present([
      ...beyond.slice(0, MOST_NAMESPACES).map(namespaceLine),
      left > 0 && `… and ${plural(left, 'more namespace')}, see results.json`,
      ...kinds.slice(0, MOST_KINDS).map(kindLine),
      kinds.length > MOST_KINDS && `… and ${kinds.length - MOST_KINDS} more kinds, see results.json`,
    ]),
    advice: adviceOn(beyond, target.url),
  };
}

/** The notices of a run in one line; undefined without any. */
export function sumUpNotices({ notices, target }: Pick<RunResult, 'notices' | 'target'>): string | undefined {
  if (notices.length === 0) return undefined;
  const beyond = target.beyond ?? [];
  const routes = beyond.reduce((sum, one) => sum + one.routes, 0);
  const others = notices.length - beyond.length;
  return present([
    beyond.length > 0 &&
      `${plural(beyond.length, 'namespace')} beyond the contract with ${plural(routes, 'route')}`,
    others > 0 && `${plural(others, beyond.length > 0 ? 'other notice' : 'notice')}`,
  ]).join('; ');
}

function namespaceLine({ namespace, routes, methods, file }: BeyondNamespace): string {
  const size = `${plural(routes, 'route')}, ${plural(methods, 'method')}`;
  const name = visibleLine(shorten(namespace, LONGEST));
  return `${name}: ${size}${file === undefined ? '' : `; the contract knows it as ${file}`}`;
}

function kindLine(notices: readonly Notice[]): string {
  const [first] = notices;
  if (first === undefined) return '';
  const said = visibleLine(`${first.id}: ${first.message}`);
  return notices.length === 1 ? said : `${said} (and ${notices.length - 1} more of the kind)`;
}

function adviceOn(beyond: readonly BeyondNamespace[], url: string): string[] {
  const known = beyond.filter(({ file }) => file !== undefined).length;
  return present([
    known > 0 && `To check what the contract knows of them as well: --deployment auto`,
    beyond.length > known && `To take them into a contract of your own: init --target ${visibleLine(url)}`,
  ]);
}
