import type { Session } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import { type Args, pageSizeOf, type Subject } from '../../records/reading/list-request.ts';
import type { Keeps } from '../../records/reading/trial.ts';
import { keepsMembers, shows } from '../rules/member-rules.ts';
import type { Direction } from '../rules/order-rules.ts';
import { type Compare, SORT_KEYS } from '../rules/sort-keys.ts';
import { shownStatuses } from '../rules/status-rules.ts';
import { PREDICTORS } from './predictors.ts';

/** What a list must hold when it is asked with some arguments. */
export interface Prediction {
  /** Arguments that select the records which it is predicted from. */
  readonly population: Args;
  readonly keeps: Keeps;
  readonly compare: Compare;
  readonly direction: Direction;
  /** How many records are left out at the beginning, and how many follow at most. */
  readonly offset: number;
  readonly size: number;
}

/** Foretells what a list holds. */
export interface Oracle {
  /** @returns nothing for arguments of which it is not known what comes of them */
  predict(args: Args): Prediction | undefined;
  /** What shows the records of every status, for those who see them; undefined where a status says nothing. */
  readonly everyStatus: Args | undefined;
}

/** The oracle of a list. Arguments are known by the names of the target. */
export async function oracleOf(session: Session, subject: Subject): Promise<Oracle> {
  const { operation } = subject;
  const every = isSelectable(operation) ? await shownStatuses(session, subject) : {};
  const everyStatus = Object.keys(every).length === 0 ? undefined : every;
  return { everyStatus, predict: (args) => predict(subject, everyStatus, args) };
}

function predict(subject: Subject, everyStatus: Args | undefined, args: Args): Prediction | undefined {
  const { operation } = subject;
  const names = new Map(operation.parameters.map(({ wire, name }) => [wire, name]));
  const given = new Map(Object.entries(args).map(([wire, value]) => [names.get(wire) ?? wire, value]));
  const cut = cutOf(subject, given);
  const sorted = orderOf(subject, given);
  if (cut === undefined || sorted === undefined) return undefined;
  const all: Keeps[] = [];
  const abouts: string[] = [];
  for (const [name, value] of given) {
    if (ARRANGING.has(name)) continue;
    if (name === 'status') {
      if (everyStatus === undefined || !Array.isArray(value)) return undefined;
      all.push(keepsMembers(shows('status'), value, false));
      continue;
    }
    const predictor = PREDICTORS.find(({ parameter }) => parameter === name);
    const keeps = predictor?.keeps(value);
    if (predictor === undefined || keeps === undefined || abouts.includes(predictor.about)) return undefined;
    abouts.push(predictor.about);
    all.push(keeps);
  }
  const population = given.has('status') ? (everyStatus ?? {}) : {};
  return { population, keeps: allOf(all), ...sorted, ...cut };
}

/** Parameters that cut out a part of what the filters keep, and all that arrange it. */
export const CUTTING: ReadonlySet<string> = new Set(['per_page', 'page', 'offset']);
export const ARRANGING: ReadonlySet<string> = new Set(['order', 'orderby', ...CUTTING]);

function isSelectable({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'status');
}

type Given = ReadonlyMap<string, unknown>;

function orderOf({ usual }: Subject, given: Given): Pick<Prediction, 'compare' | 'direction'> | undefined {
  const orderby = given.get('orderby') ?? (usual === undefined ? 'id' : usual.orderby);
  const direction = given.get('order') ?? (usual === undefined ? 'desc' : usual.order) ?? 'desc';
  if (direction !== 'asc' && direction !== 'desc') return undefined;
  if (orderby === undefined) return { compare: () => undefined, direction };
  const compare = typeof orderby === 'string' ? SORT_KEYS[orderby] : undefined;
  return compare === undefined ? undefined : { compare, direction };
}

function cutOf(subject: Subject, given: Given): Pick<Prediction, 'offset' | 'size'> | undefined {
  const size = given.get('per_page') ?? pageSizeOf(subject);
  const [page, offset] = [given.get('page'), given.get('offset')];
  // One of the two wins, and which is silent; so is what follows an offset where a list has no pages.
  if (page !== undefined && offset !== undefined) return undefined;
  if (typeof size !== 'number' || !(size >= 1)) return undefined;
  const isMoved = page !== undefined || offset !== undefined;
  if (isMoved && !Number.isFinite(size)) return undefined;
  const start = typeof page === 'number' ? (page - 1) * size : (offset ?? 0);
  return typeof start === 'number' && start >= 0 ? { offset: start, size } : undefined;
}

function allOf(all: readonly Keeps[]): Keeps {
  return (record) => {
    const kept = all.map((keeps) => keeps(record));
    if (kept.includes(false)) return false;
    return kept.includes(undefined) ? undefined : true;
  };
}
