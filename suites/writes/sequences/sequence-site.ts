import { isObject, type JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { checkId } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { Aborted, blocked, describe, failure, inconclusiveAbort, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type {
  BatchStep,
  Chosen,
  PlainStatus,
  RecordStep,
  Writing,
} from '../../../generators/command-sequences.ts';
import { refusedAlone } from '../../../probing/records/own/own-check.ts';
import type { OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import { inconclusiveBy, notAccepted } from '../../../probing/records/own/writable-fields.ts';
import { askFitted, MOST_PER_PAGE, sizeIn } from '../../../probing/records/reading/list-request.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { findResource } from '../../../specs/find-resource.ts';

/** What the model knows of an own record. */
export interface Member {
  readonly name: string;
  /** The name that kept steps have for it. */
  readonly key: number;
  readonly record: OwnRecord;
  readonly title: string;
  /** Undefined until one is written: a site may make one of the content. */
  readonly excerpt: string | undefined;
  readonly status: PlainStatus | 'trash' | 'gone';
}

/** A small model of a collection: the own records that were made in it, and what the site must hold of them. */
export class RecordModel {
  readonly #members: Member[] = [];

  /** Every record that was made, the oldest first. */
  get members(): readonly Member[] {
    return this.#members;
  }

  get nextName(): string {
    return `record ${this.#members.length + 1}`;
  }

  /** The name that kept steps have for the record that is made next. */
  get nextKey(): number {
    return this.#members.length + 1;
  }

  /** Adds a record that was just made. @param writing what was written into it */
  add(record: OwnRecord, writing: Writing, key: number = this.nextKey): void {
    const { title = '', excerpt, status = 'draft' } = writing;
    this.#members.push({ name: this.nextName, key, record, title, excerpt, status });
  }

  /** Whether there is a record for a step, and anything in a batch. */
  fits(step: RecordStep): boolean {
    if (step.kind === 'batch') return step.steps.length > 0;
    return !('pick' in step) || this.choose(step) !== undefined;
  }

  /** The record that a step chooses; undefined where none fits it. */
  choose({ kind, pick, of }: Extract<RecordStep, Chosen>): Member | undefined {
    const fitting = this.#members.filter((member) => isFitting(kind, member));
    return of === undefined ? fitting[pick % fitting.length] : fitting.find(({ key }) => key === of);
  }

  /** A step with the names of the records that it is about. @param made records that a batch makes before it */
  named<Step extends Exclude<RecordStep, { kind: 'batch' }> | BatchStep>(step: Step, made = 0): Step {
    if (step.kind === 'create') return { as: this.nextKey + made, ...step };
    const chosen = 'pick' in step ? this.choose(step) : undefined;
    return chosen === undefined ? step : { ...step, of: chosen.key };
  }

  change(member: Member, to: Partial<Pick<Member, 'title' | 'excerpt' | 'status'>>): void {
    const at = this.#members.findIndex(({ name }) => name === member.name);
    const now = this.#members[at];
    if (now !== undefined) this.#members[at] = { ...now, ...to };
  }
}

function isFitting(kind: RecordStep['kind'], { status }: Member): boolean {
  switch (kind) {
    case 'restore':
      return status === 'trash';
    case 'delete':
      return status !== 'gone';
    // Lists show all the others.
    case 'read':
      return status === 'gone';
    case 'update':
    case 'trash':
      return status !== 'gone' && status !== 'trash';
    default:
      return true;
  }
}

/**
 * The site as one command sequence sees it, with the story of the sequence for a report. Whatever contradicts the model is
 * thrown as `Aborted`, with the steps so far.
 */
export class SequenceSite {
  readonly own: OwnRecords;
  readonly type: string;
  /** The steps so far, as a replay repeats them. */
  readonly #steps: RecordStep[] = [];
  readonly #story: string[] = [];
  readonly #curls: string[] = [];

  constructor(own: OwnRecords, type: string) {
    this.own = own;
    this.type = type;
  }

  /** Compares what the site holds with the model. @throws Aborted where they differ */
  async compare(model: RecordModel): Promise<void> {
    this.noteStep('list them');
    const { answers, difference } = await compareRecords(this.own.session, this.type, model);
    for (const answer of answers) this.note(answer);
    if (difference !== undefined)
      throw this.contradiction(difference.message, difference.expected, difference.observed);
  }

  noteStep(step: string): void {
    this.#story.push(step);
  }

  /** Keeps a step, so that it can be repeated. */
  begin(step: RecordStep): void {
    this.#steps.push(step);
  }

  note({ curl }: Observation): void {
    this.#curls.push(curl);
  }

  /** What is written when a step says so: the title carries the run's tag. */
  fieldsOf({ title, ...writing }: Writing): Writing {
    return { ...writing, ...(title !== undefined && { title: `${this.own.tag} ${title}` }) };
  }

  contradiction(message: string, expected: string, observed: string): Aborted {
    const found = failure(`${message}, after these steps: ${this.#story.join('; ')}`, {
      expected,
      observed,
      reproduce: [...this.#curls],
    });
    return new Aborted({ ...found, replay: { steps: [...this.#steps] } });
  }

  /** A step that has to be accepted. @throws Aborted when it is not */
  require(what: string, answer: Observation): void {
    this.note(answer);
    const finding = notAccepted(what, answer);
    if (finding?.kind === 'failure') throw this.contradiction(finding.message, 'accepted', describe(answer));
    if (finding !== undefined) throw new Aborted(finding);
  }

  /** A step that may be refused: whether it was accepted. @throws Aborted when that is inconclusive */
  isDone(answer: Observation): boolean {
    this.note(answer);
    const undecided = inconclusiveBy('the step', answer);
    if (undecided?.kind === 'failure')
      throw this.contradiction(undecided.message, 'an answer', describe(answer));
    if (undecided !== undefined) throw new Aborted(undecided);
    return answer.answer === 'accepted';
  }
}

const IN_EDIT = ['context', 'edit'] as const;

/** Two lists of the records of a sequence, and the first thing in them that contradicts the model. */
interface RecordComparison {
  readonly answers: readonly Observation[];
  readonly difference?: Difference | undefined;
}

/**
 * Compares what the site holds with the model: each record in its status with its texts, and in the default list those
 * that are published and no others. Lists are narrowed to the records of the sequence, so that nobody else's count.
 * @throws Aborted when the lists cannot be read
 */
async function compareRecords(
  session: Session,
  collection: string,
  model: RecordModel,
): Promise<RecordComparison> {
  const { members } = model;
  const { statuses, operations } = findResource(session.contract, collection) ?? {};
  const route = operations?.list?.route.wire ?? '';
  const every = statuses?.listed ?? [];
  if (members.length === 0) return { answers: [] };
  const ids = members.map(({ record }) => record.id).join(',');
  const ask = async (more: readonly (readonly [string, string])[]): Promise<Observation> => {
    const query = [['include', ids], ['per_page', String(MOST_PER_PAGE)], ...more] as const;
    const spec = { method: 'GET', route, query, as: 'user' } as const;
    const { observation: answer, query: sent } = await askFitted(session.client, spec, {
      dispensable: ['per_page'],
    });
    if (sizeIn(sent) < members.length) {
      throw inconclusiveAbort(
        `a page holds ${sizeIn(sent)} records, and there are ${members.length} own ones to list`,
      );
    }
    if (answer.answer === 'accepted' && Array.isArray(answer.json)) return answer;
    if (answer.answer === 'refused') await endWhereRefused(session, spec, every, operations?.list?.id ?? '');
    throw inconclusiveAbort(`the list of own records cannot be read (${describe(answer)})`);
  };
  const all = await ask([['status', every.join(',')], IN_EDIT]);
  const byDefault = await ask([]);
  return {
    answers: [all, byDefault],
    difference: ofAll(members, all) ?? ofDefault(members, byDefault, statuses?.open),
  };
}

/** @throws Aborted when the list refuses alone what it is asked for here: that is for another check to report */
async function endWhereRefused(
  session: Session,
  list: { readonly route: string; readonly as: 'user' },
  statuses: readonly string[],
  place: string,
): Promise<void> {
  const asked = [IN_EDIT, ...statuses.map((status) => ['status', status] as const)];
  const [first] = await refusedAlone(session, list, asked);
  if (first === undefined) return;
  const reported = first[0] === 'status' ? ['status', 'items', 'enum'] : ['context', 'enum'];
  throw new Aborted(blocked(checkId(place, ...reported, 'accepted')));
}

function ofAll(members: readonly Member[], answer: Observation): Difference | undefined {
  const records = recordsOf(answer);
  for (const { name, record, title, excerpt, status } of members) {
    const found = records.find(({ id }) => id === record.id);
    if (status === 'gone') {
      if (found !== undefined)
        return {
          message: `${name} is gone, and listed`,
          expected: 'not listed',
          observed: `status ${show(found.status)}`,
        };
      continue;
    }
    if (found === undefined)
      return {
        message: `${name} is not listed`,
        expected: `${name} with the status ${status}`,
        observed: 'no such record',
      };
    const values = [
      ['status', status, found.status],
      ['title', title, rawOf(found, 'title')],
      ['excerpt', excerpt, rawOf(found, 'excerpt')],
    ] as const;
    for (const [what, expected, observed] of values) {
      if (expected === undefined || expected === observed) continue;
      return {
        message: `${name} has another ${what} than was written`,
        expected: show(expected),
        observed: show(observed),
      };
    }
  }
  return undefined;
}

function ofDefault(
  members: readonly Member[],
  answer: Observation,
  open: string | undefined,
): Difference | undefined {
  const records = recordsOf(answer);
  for (const { name, record, status } of members) {
    const listed = records.some(({ id }) => id === record.id);
    if (listed === (status === open)) continue;
    return {
      message: `${name} with the status ${status} is ${listed ? '' : 'not '}in the list without a status`,
      expected: listed ? 'not listed' : 'listed',
      observed: listed ? 'listed' : 'not listed',
    };
  }
  return undefined;
}

function recordsOf({ json }: Observation): JsonObject[] {
  return Array.isArray(json) ? json.filter(isObject) : [];
}
