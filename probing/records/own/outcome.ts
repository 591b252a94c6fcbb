import { redirectOf } from '../../../client/answer.ts';
import { type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { Aborted, inconclusiveAbort, orAbort } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import {
  blocked,
  byWhat,
  explain,
  failure,
  failureBy,
  inconclusive,
  saidBy,
  show,
} from '../../../engine/findings.ts';
import type { Operation } from '../../../specs/model.ts';
import { rawOf } from '../reading/record.ts';
import type { WritableField } from './writable-fields.ts';

/** A record that the run has created. */
export interface OwnRecord {
  readonly collection: Collection;
  readonly id: number;
  /** The slug that it was asked to have: it holds the run's tag. */
  readonly slug: string;
  /** What the creation answered: the record in edit context. */
  readonly created: Observation;
  /** The fresh read in edit context that showed the record to be the run's own. */
  readonly read: Observation;
  readonly shown: JsonObject;
}

/** A JSON text without the slug of an own record, also where the site cut a text of its own within the slug's last word. */
export function withoutSlug(text: string, slug: string): string {
  const stem = slug.lastIndexOf('-') + 1 || slug.length;
  const starts = Array.from({ length: slug.length - stem + 1 }, (_, cut) => slug.slice(0, slug.length - cut));
  return starts.reduce((shown, start) => shown.replaceAll(start, '-'), text);
}

/** Whether a record has a slug, with a number if another one has it: one that a plugin makes beside it has its own. */
export function hasSlug(json: unknown, slug: string): boolean {
  const shown = String(member(json, 'slug'));
  const at = shown.indexOf(slug);
  return at >= 0 && /^(?:-\d+)?$/.test(shown.slice(at + slug.length));
}

/** Whether a record has exactly a slug, or a title that starts with it. */
export function isNamedBy(json: unknown, slug: string): boolean {
  const title = rawOf(json, 'title');
  return member(json, 'slug') === slug || (typeof title === 'string' && title.startsWith(`${slug} `));
}

/** A creation that did not make a record. */
export interface NotCreated {
  readonly created: Observation;
  /** What there is to say of an answer that names a record which is not the run's own. */
  readonly finding?: Finding;
}

/** What came of a creation. */
export type Creation = OwnRecord | NotCreated;

type Repeatable = Pick<Observation, 'curl'>;

/** The lines for a shell that repeat requests, in order; without those that were not sent. */
export function curlsOf(...answers: readonly (Repeatable | undefined)[]): string[] {
  return answers.flatMap((answer) => answer?.curl ?? []);
}

/** The failure of an expectation in words. @param answers those that lead to it and show it, in order */
export function contradicts(
  message: string,
  expected: string,
  observed: string,
  ...answers: readonly (Repeatable | undefined)[]
): Finding {
  return failure(message, { expected, observed, reproduce: curlsOf(...answers) });
}

/** The failure of a value in JSON that is not as it must be; see `contradicts`. */
export function differs(
  message: string,
  expected: unknown,
  observed: unknown,
  ...answers: readonly (Repeatable | undefined)[]
): Finding {
  return contradicts(message, show(expected), show(observed), ...answers);
}

/** A record without which a check is inconclusive. @param message used if the site gives no reason @throws Aborted */
export function recordOrAbort(creation: Creation, message: string): OwnRecord {
  if ('id' in creation) return creation;
  const { created, finding } = creation;
  throw new Aborted(finding ?? inconclusive(`${message} (${explain(created)})`));
}

/** What keeps a write from being conclusive; undefined if it was accepted or refused. @param what starts a sentence */
export function inconclusiveBy(what: string, answer: Observation): Finding | undefined {
  switch (answer.answer) {
    case 'broken':
      return failureBy(`${what} makes the server fail${saidBy(answer)}`, 'an answer', answer);
    case 'throttled':
      return inconclusive(`${what} is throttled each time it is asked${saidBy(answer)}`);
    case 'denied':
      return inconclusive(`${what} is denied to this user${byWhat(answer) || saidBy(answer)}`);
    default:
      return undefined;
  }
}

/** The finding of a write that must be accepted; undefined when it was. */
export function notAccepted(what: string, answer: Observation): Finding | undefined {
  if (answer.answer === 'accepted') return undefined;
  const end = redirectOf(answer) === undefined ? 'refused' : 'redirected';
  const refused = failureBy(`${what} is ${end}${saidBy(answer)}`, 'accepted', answer);
  return inconclusiveBy(what, answer) ?? refused;
}

/** Each ends a check whose write did not come to what it must. @throws Aborted with the finding */
export const must = {
  /** A write that must be accepted. */
  accept(what: string, answer: Observation): void {
    orAbort(notAccepted(what, answer));
  },

  /** A write whose answer must prove something. @param conclusive an answer that does all the same */
  conclude(what: string, answer: Observation, conclusive?: Observation['answer']): void {
    if (answer.answer !== conclusive) orAbort(inconclusiveBy(what, answer));
  },

  /** An invalid write that must be refused: where it is not, nothing is proven about refusals. */
  refuse(operation: Operation, { name }: WritableField, answer: Observation): void {
    if (answer.answer === 'refused') return;
    if (answer.answer === 'accepted' || answer.answer === 'broken')
      throw new Aborted(blocked(checkId(operation.id, name, 'enum', 'enforced')));
    throw inconclusiveAbort(`an invalid write of ${operation.id} is not refused (${explain(answer)})`);
  },

  create(what: string, creation: Creation): OwnRecord {
    if ('id' in creation) return creation;
    const { created, finding } = creation;
    orAbort(finding ?? notAccepted(what, created));
    if (created.tooLarge === true) throw inconclusiveAbort(`${what} is answered with ${created.problem}`);
    const message = `${what} is answered with success, but the answer holds no record with an integer id: nothing names what was made${saidBy(created)}`;
    const observed = created.problem ?? created.text.slice(0, 200);
    throw new Aborted(contradicts(message, 'the record, with an integer id', observed, created));
  },
};
