import { member } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { describeAnswer, failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import { simplerValid } from '../../../generators/shrink.ts';
import { equalForms, type WireForm, wireForm } from '../../../generators/wire-forms.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { rawOf } from '../../records/own/raw-of.ts';
import type { Judged, Property } from '../../search/fuzz-set.ts';
import type { Args } from '../call.ts';
import { makeOwnRecord } from '../probe-as-user.ts';
import { endOf } from './ask-set.ts';

/** Writes arguments into own records that are alike, each in a form of its own. */
interface Scene {
  /** Sends a form to the record that is for its kind of form. */
  send(form: WireForm, kind: string): Promise<Observation | undefined>;
}

/** What is different between two answers of one write. */
interface Unlike {
  readonly names: readonly string[];
  readonly one: Observation;
  readonly other: Observation;
  readonly form: WireForm;
}

/**
 * What a change of records takes means the same in a query, a form and JSON. Each form is written into a record of its own,
 * all of them made alike; a difference counts when new records show it, and two of them that are written alike do not.
 * @returns why there are no own records to write
 */
export function sameInAnyForm(
  session: Session,
  own: OwnRecords,
  operation: Operation,
  parameters: readonly Parameter[],
): Property | string {
  const collection = operation.resource?.id;
  if (collection === undefined || own.route(collection) === undefined)
    return `${operation.id} is not about records`;
  const schemas = new Map(parameters.map(({ wire, schema }) => [wire, schema]));
  const scene = (): Scene => {
    const routes = new Map<string, Promise<string | undefined>>();
    const make = async (): Promise<string | undefined> => {
      const record = await makeOwnRecord(session, own, collection);
      return record === undefined ? undefined : `${own.route(collection)}/${record.id}`;
    };
    return {
      async send(form, kind) {
        const made = routes.get(kind) ?? make();
        routes.set(kind, made);
        const route = await made;
        return route === undefined ? undefined : session.client.request(requestOf(route, form));
      },
    };
  };
  const shared = scene();
  return {
    keepsSubject: false,
    async judge(args, fresh) {
      if (!fresh) {
        const found = await compare(shared, args);
        if (found === undefined || 'answer' in found)
          return { end: found === undefined ? 'other' : endOf(found) };
      }
      return confirm(scene(), args, `${show(args)} for ${operation.id}`);
    },
    simpler: (name, value) => simplerValid(schemas.get(name) ?? {}, value),
    reportedBy: async () => undefined,
  };
}

/** Writes arguments in every form. @returns the first difference, or what came of them; nothing where nothing was written */
async function compare(scene: Scene, args: Args): Promise<Unlike | Observation | undefined> {
  const one = await scene.send(wireForm(args, 'json'), 'json');
  if (one === undefined || !isTelling(one)) return one;
  for (const [at, form] of formsOf(args).entries()) {
    const other = await scene.send(form, `other ${at}`);
    if (other === undefined || !isTelling(other)) continue;
    const names = unlikeNames(args, one, other);
    if (names !== undefined) return { names, one, other, form };
  }
  return one;
}

/** Believes a difference between new records only where two that are written alike are alike. */
async function confirm(scene: Scene, args: Args, what: string): Promise<Judged> {
  const found = await compare(scene, args);
  if (found === undefined) return { end: 'other', finding: inconclusive('no own records could be made') };
  if ('answer' in found) return { end: endOf(found) };
  const { names, one, other, form } = found;
  const again = await scene.send(wireForm(args, 'json'), 'json again');
  if (again === undefined || unlikeNames(args, one, again) !== undefined) {
    return { end: endOf(one), finding: inconclusive(`${what} is not answered alike even in the same form`) };
  }
  const differs = names.length === 0 ? 'is answered otherwise' : `is stored otherwise (${names.join(', ')})`;
  return {
    end: endOf(one),
    kind: 'encoding',
    finding: failure(`${what} ${differs} when a ${form.encoding} carries it`, {
      expected: `as from JSON: ${shownOf(args, one)}`,
      observed: shownOf(args, other),
      reproduce: [one.curl, other.curl],
    }),
  };
}

/** One form of each encoding; which spelling it has depends on the arguments. */
function formsOf(args: Args): WireForm[] {
  const all = equalForms(args, 'json', ['json', 'query', 'form']);
  const turn = JSON.stringify(args).length;
  return (['json', 'query', 'form'] as const).flatMap((encoding) => {
    const some = all.filter((form) => form.encoding === encoding);
    return some[turn % Math.max(1, some.length)] ?? [];
  });
}

function requestOf(route: string, form: WireForm): RequestSpec {
  const about = { method: 'POST', route, as: 'user', intent: 'own-record' } as const;
  if (form.encoding === 'json') return { ...about, body: { json: form.json } };
  return form.encoding === 'form'
    ? { ...about, body: { form: form.pairs } }
    : { ...about, query: form.pairs };
}

function isTelling({ answer }: Observation): boolean {
  return answer === 'accepted' || answer === 'refused';
}

/** The arguments that two answers show otherwise; none of them where only one of the two is a refusal. */
function unlikeNames(args: Args, one: Observation, other: Observation): string[] | undefined {
  if (one.answer !== other.answer) return [];
  if (one.answer !== 'accepted') return undefined;
  const names = Object.keys(args).filter((name) => !sameMeaning(storedIn(one, name), storedIn(other, name)));
  return names.length === 0 ? undefined : names;
}

/** What a record stores; what it renders may name the record itself. */
function storedIn({ json }: Observation, name: string): unknown {
  return rawOf(json, name) ?? member(json, name);
}

function shownOf(args: Args, answer: Observation): string {
  if (answer.answer !== 'accepted') return describeAnswer(answer);
  return show(Object.fromEntries(Object.keys(args).map((name) => [name, storedIn(answer, name)])));
}
