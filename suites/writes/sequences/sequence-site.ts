import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { Aborted, inconclusiveAbort, orAbort } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { blocked, describe, explain, failure, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type {
  BatchStep,
  Chosen,
  PlainStatus,
  RecordStep,
  Writing,
} from '../../../generators/command-sequences.ts';
import { encodeArgs, encodeQuery, type Pair } from '../../../generators/wire-forms.ts';
import { type BatchPart, chunks } from '../../../probing/records/own/batch-part.ts';
import { refusedAlone } from '../../../probing/records/own/list-own.ts';
import type { Creation, OwnRecord } from '../../../probing/records/own/outcome.ts';
import { inconclusiveBy, notAccepted } from '../../../probing/records/own/outcome.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf } from '../../../probing/records/own/writable-fields.ts';
import { askFitted, MOST_PER_PAGE, sizeIn } from '../../../probing/records/reading/list-request.ts';
import { contradictions, itemsOf, rawOf } from '../../../probing/records/reading/record.ts';
import { findResource } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import type { BatchTrial } from '../batch/batch-trial.ts';
import { combinedValues } from '../fields/shared-records.ts';

/** The expected state of an own record. */
export interface Member {
  readonly name: string;
  /** The number of the record in saved steps. */
  readonly key: number;
  readonly record: OwnRecord;
  title: string;
  /** Undefined until one is written, because the site may generate one. */
  excerpt: string | undefined;
  status: PlainStatus | 'trash' | 'gone';
  /** How often it got a status after which other fields may change. */
  moves: number;
}

/** A model of a collection: the own records that were created, and their expected state. */
export class RecordModel {
  readonly members: Member[] = [];

  get nextName(): string {
    return `record ${this.nextKey}`;
  }

  get nextKey(): number {
    return this.members.length + 1;
  }

  add(record: OwnRecord, writing: Writing, key: number = this.nextKey): void {
    const { title = '', excerpt, status = 'draft' } = writing;
    this.members.push({ name: this.nextName, key, record, title, excerpt, status, moves: 0 });
  }

  /** Whether a step can run: it has a record, or a batch has steps. */
  fits(step: RecordStep): boolean {
    if (step.kind === 'batch') return step.steps.length > 0;
    return !('pick' in step) || this.choose(step) !== undefined;
  }

  choose({ kind, pick, of }: Extract<RecordStep, Chosen>): Member | undefined {
    const fitting = this.members.filter((member) => isFitting(kind, member));
    return of === undefined ? fitting[pick % fitting.length] : fitting.find(({ key }) => key === of);
  }

  /** A step with the numbers of its records. @param made how many records its batch creates before it */
  named<Step extends Exclude<RecordStep, { kind: 'batch' }> | BatchStep>(step: Step, made = 0): Step {
    if (step.kind === 'create') return { as: this.nextKey + made, ...step };
    const chosen = 'pick' in step ? this.choose(step) : undefined;
    return chosen === undefined ? step : { ...step, of: chosen.key };
  }

  change(member: Member, to: Partial<Pick<Member, 'title' | 'excerpt' | 'status'>>): void {
    Object.assign(member, to, { moves: member.moves + (MOVING.includes(to.status) ? 1 : 0) });
  }
}

/** Whether a step of a kind can be about a record. Lists show all records that are not deleted. */
function isFitting(kind: RecordStep['kind'], { status }: Member): boolean {
  if (kind === 'restore') return status === 'trash';
  if (kind === 'read') return status === 'gone';
  if (kind === 'delete') return status !== 'gone';
  if (kind === 'update' || kind === 'trash') return status !== 'gone' && status !== 'trash';
  return true;
}

/** The site for one command sequence, with its steps for reports. Contradictions are thrown as `Aborted`. */
export class SequenceSite {
  readonly own: OwnRecords;
  readonly type: string;
  readonly #steps: RecordStep[] = [];
  readonly #log: string[] = [];
  readonly #curls: string[] = [];
  /** How the edit context showed each record last, and its moves then, by id. */
  readonly #seen = new Map<number, { readonly json: unknown; readonly moves: number }>();

  constructor(own: OwnRecords, type: string) {
    this.own = own;
    this.type = type;
  }

  /** Compares the site with the model. @throws Aborted if they differ */
  async compare({ members }: RecordModel): Promise<void> {
    this.noteStep('list them');
    if (members.length === 0) return;
    const lists = await this.lists(members.map(({ record }) => record.id));
    for (const answer of lists.answers) this.note(answer);
    const { contract } = this.own.session;
    const open = findResource(contract, this.type)?.statuses?.open;
    const difference =
      ofAll(members, lists.all) ??
      ofDefault(members, lists.byDefault, open) ??
      this.#ofOthers(members, lists.all);
    if (difference) throw this.contradiction(difference.message, difference.expected, difference.observed);
  }

  /** The difference in a field that no step writes, since the record was shown last. */
  #ofOthers(members: readonly Member[], records: readonly JsonObject[]): Difference | undefined {
    const { contract } = this.own.session;
    for (const { name, record, moves } of members) {
      const found = records.find(({ id }) => id === record.id);
      const last = this.#seen.get(record.id) ?? { json: record.read.json, moves: 0 };
      const before = last.json;
      if (found === undefined) continue;
      this.#seen.set(record.id, { json: found, moves });
      const isMoved =
        moves > last.moves || [before, found].some((one) => MOVING.includes(member(one, 'status')));
      const changed = contradictions(contract, this.type, before, found).find(
        (field) => !WRITTEN.has(field) && !(isMoved && FOLLOWING.has(field)),
      );
      if (changed === undefined) continue;
      return {
        message: `${name} has another ${changed} than before, which no step writes`,
        expected: show(member(before, changed)),
        observed: show(found[changed]),
      };
    }
    return undefined;
  }

  async create(fields: Writing): Promise<Creation> {
    return this.own.create(this.type, { ...(await this.beside()), ...fields });
  }

  /** Further fields of a new record, which no step writes. */
  async beside(): Promise<Record<string, unknown>> {
    const plain = this.own.fieldsOf(this.type).filter(({ name }) => PLAIN.has(name));
    return bodyOf(plain, await combinedValues(this.own, this.type, plain));
  }

  update(record: OwnRecord, fields: Writing): Promise<Observation> {
    return this.own.update(record, { ...fields });
  }

  remove(record: OwnRecord, force?: true): Promise<Observation> {
    return this.own.remove(record, force);
  }

  /** Sends a batch of writes in order. @param made the names of created records, which it returns by name */
  async sendBatch(
    trial: BatchTrial,
    parts: readonly BatchPart[],
    made: ReadonlyMap<BatchPart, string>,
  ): Promise<ReadonlyMap<string, OwnRecord>> {
    const { answer, found } = await trial.run('a batch of own records', parts);
    this.require('a batch of own records', answer);
    return new Map(
      [...made.values()].flatMap((name) => {
        const record = found.has(name) ? trial.recordOf(name) : undefined;
        return record === undefined ? [] : [[name, record]];
      }),
    );
  }

  lists(ids: readonly number[]): Promise<RecordLists> {
    return listRecords(this.own.session, this.type, ids);
  }

  noteStep(step: string): void {
    this.#log.push(step);
  }

  begin(step: RecordStep): void {
    this.#steps.push(step);
  }

  note({ curl }: Observation): void {
    this.#curls.push(curl);
  }

  /** The fields that a step writes; the title gets the run's tag. */
  fieldsOf({ title, ...writing }: Writing): Writing {
    return { ...writing, ...(title !== undefined && { title: `${this.own.tag} ${title}` }) };
  }

  contradiction(message: string, expected: string, observed: string): Aborted {
    const found = failure(`${message}, after these steps: ${this.#log.join('; ')}`, {
      expected,
      observed,
      reproduce: [...this.#curls],
    });
    return new Aborted({ ...found, replay: { steps: [...this.#steps] } });
  }

  require(what: string, answer: Observation): void {
    this.#conclude(answer, notAccepted(what, answer), 'accepted');
  }

  /** Whether a step that may be refused or denied was accepted. @throws Aborted if that is inconclusive */
  isDone(answer: Observation): boolean {
    const isDenied = answer.answer === 'denied';
    this.#conclude(answer, isDenied ? undefined : inconclusiveBy('the step', answer), 'an answer');
    return answer.answer === 'accepted';
  }

  #conclude(answer: Observation, finding: Finding | undefined, expected: string): void {
    this.note(answer);
    if (finding?.kind === 'failure') throw this.contradiction(finding.message, expected, describe(answer));
    orAbort(finding);
  }
}

/** Further fields of new records, with values that every site accepts. */
const PLAIN: ReadonlySet<string> = new Set(['categories', 'tags', 'format', 'comment_status', 'ping_status']);
/** The fields that steps write, and the dates, which follow the status. */
const WRITTEN: ReadonlySet<string> = new Set(['title', 'excerpt', 'status', 'date', 'date_gmt']);
/** Fields that may change with these statuses: what else a change of status does is silent (§3). */
const FOLLOWING: ReadonlySet<string> = new Set(['slug', 'sticky', 'password']);
const MOVING: readonly unknown[] = ['trash', 'pending', 'private'];

const IN_EDIT = ['context', 'edit'] as const;

/** Records in lists with every status and with the default status; they may include other records. */
export interface RecordLists {
  readonly answers: readonly Observation[];
  readonly all: readonly JsonObject[];
  readonly byDefault: readonly JsonObject[];
}

/** Lists certain own records in every status, and without a status filter. @throws Aborted if it cannot */
export async function listRecords(
  session: Session,
  collection: string,
  ids: readonly number[],
): Promise<RecordLists> {
  const { statuses, operations } = findResource(session.contract, collection) ?? {};
  const route = operations?.list?.route.wire ?? '';
  const every = statuses?.listed ?? [];
  const ask = async (include: readonly number[], more: readonly Pair[]): Promise<Observation> => {
    const query = [...encodeArgs({ include, per_page: MOST_PER_PAGE }), ...more];
    const spec = { method: 'GET', route, query, as: 'user' } as const;
    const options = { dispensable: ['per_page'] };
    const { observation: answer, query: sent } = await askFitted(session.client, spec, options);
    if (sizeIn(sent) < include.length) {
      const held = `a page holds ${sizeIn(sent)} records`;
      throw inconclusiveAbort(`${held}, and there are ${include.length} own ones to list`);
    }
    if (answer.answer === 'accepted' && Array.isArray(answer.json)) return answer;
    if (answer.answer === 'refused' && operations?.list !== undefined)
      await abortIfRefused(session, operations.list, every);
    throw inconclusiveAbort(`the list of own records cannot be read (${explain(answer)})`);
  };
  const all: Observation[] = [];
  const byDefault: Observation[] = [];
  for (const include of chunks(ids, MOST_PER_PAGE)) {
    all.push(await ask(include, [...encodeQuery('status', every), IN_EDIT]));
    byDefault.push(await ask(include, []));
  }
  return {
    answers: [...all, ...byDefault],
    all: all.flatMap(itemsOf).filter(isObject),
    byDefault: byDefault.flatMap(itemsOf).filter(isObject),
  };
}

/** @throws Aborted if the list also refuses one of the arguments alone, which another check reports */
async function abortIfRefused(session: Session, list: Operation, statuses: readonly string[]): Promise<void> {
  const asked = [IN_EDIT, ...encodeQuery('status', statuses)];
  const [first] = await refusedAlone(session, { route: list.route.wire, as: 'user' }, asked);
  if (first === undefined) return;
  const reported = first === IN_EDIT ? ['context', 'enum'] : ['status', 'items', 'enum'];
  throw new Aborted(blocked(checkId(list.id, ...reported, 'accepted')));
}

function ofAll(members: readonly Member[], records: readonly JsonObject[]): Difference | undefined {
  for (const { name, record, title, excerpt, status } of members) {
    const found = records.find(({ id }) => id === record.id);
    const differs = (message: string, expected: string, observed: string): Difference => {
      return { message: `${name} ${message}`, expected, observed };
    };
    if (status === 'gone') {
      if (found === undefined) continue;
      return differs('is gone, and listed', 'not listed', `status ${show(found.status)}`);
    }
    if (found === undefined)
      return differs('is not listed', `${name} with the status ${status}`, 'no such record');
    const fields = [
      ['status', status, found.status],
      ['title', title, rawOf(found, 'title')],
      ['excerpt', excerpt, rawOf(found, 'excerpt')],
    ] as const;
    for (const [what, expected, observed] of fields) {
      if (expected === undefined || expected === observed) continue;
      return differs(`has another ${what} than was written`, show(expected), show(observed));
    }
  }
  return undefined;
}

function ofDefault(members: readonly Member[], records: readonly JsonObject[], open: string | undefined) {
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
