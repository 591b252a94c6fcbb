import type { RequestSpec } from '../../client/observation.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { Change } from '../change.ts';
import type { Comparison } from '../comparison.ts';
import type { AskedTwins, TwinOptions } from './ask.ts';
import { ANONYMOUS } from './causes.ts';

/** What became of one change: it shows still, shows no more, or was not asked to the end. */
type Rerun = 'persisting' | 'fixed' | 'inconclusive';

/**
 * What asks for one change alone: the shape of its route, and of a list the very request that showed it. A change of a
 * declaration needs the index alone.
 */
export function onlyFor({ calls, about, kind, subject, exchange }: Change): NonNullable<TwinOptions['only']> {
  const route = calls?.route ?? about?.route;
  if (route === undefined) return { route: '', query: [] };
  const isShown = kind.startsWith('list-') && exchange !== undefined && !subject.endsWith(ANONYMOUS);
  const query = isShown ? queryOf(exchange.before) : undefined;
  const isDeclared = calls === undefined;
  return { route: shapeOf(route), ...(isDeclared ? { query: [] } : query !== undefined && { query }) };
}

/** The arguments of a line for a shell, but for the route. */
function queryOf(line: string): RequestSpec['query'] {
  const url = /https?:\/\/[^\s'"]+/.exec(line)?.[0];
  if (url === undefined || !URL.canParse(url)) return undefined;
  return [...new URL(url).searchParams].filter(([name]) => name !== 'rest_route');
}

/** Whether a change shows in what was asked for it. */
export function verdictOf(change: Change, asked: AskedTwins, { changes }: Comparison): Rerun {
  if (asked.ended !== undefined) return 'inconclusive';
  if (asked.shown?.kind === change.kind || changes.some(({ id }) => id === change.id)) return 'persisting';
  return 'fixed';
}
