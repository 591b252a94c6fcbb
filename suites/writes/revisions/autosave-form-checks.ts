import type { JsonObject } from '../../../client/json.ts';
import type { Observation, RequestBody } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { orAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding } from '../../../engine/check.ts';
import { evaluateAcceptance, explain, inconclusive, show } from '../../../engine/findings.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import type { Write } from '../../../probing/records/own/make-record.ts';
import { must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { ownCheck, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { collectionOf, operationFor, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { ROUNDS } from '../fields/field-values.ts';
import { fieldFormCheck, formFields, formValue, valuesOfForms, wholeFormCheck } from '../fields/forms.ts';
import { onceForAll } from '../fields/stored-checks.ts';
import { evaluateApart, savedRecord } from './autosave-checks.ts';

/** The creation of autosaves, and the collection of the records that they belong to. */
interface Saving {
  readonly operation: Operation;
  readonly collection: Collection;
}

/** Checks that autosaves take forms as well as JSON (§4, notation). What they keep besides the texts is silent. */
export function autosaveFormChecks(operation: Operation): Check[] {
  const saving = { operation, collection: collectionOf(operation) ?? '' };
  return [
    wholeCheck(saving),
    apartCheck(saving),
    ...onceForAll(formFields(operation), (field) => formCheck(saving, field)),
  ];
}

const apartId = (collection: Collection, ...words: string[]): string =>
  checkId('autosaves', collection, 'apart', ...words);

function wholeCheck(saving: Saving): Check {
  const { operation, collection } = saving;
  return wholeFormCheck(operation, collection, {
    needs: [apartId(collection)],
    async run(own) {
      const forms = await formsOf(own, saving);
      if (forms.some(({ answer }) => answer.answer === 'accepted')) return [];
      const { record } = await savedRecord(own, collection, operation);
      const answer = await saveByForm(own, saving, record, { title: `${own.tag} form by POST` });
      must.accept(`${operation.id} with a form of plain text`, answer);
      return [];
    },
  });
}

/** The check that autosaves after the first one leave the published record alone too; these are forms. */
function apartCheck(saving: Saving): Check {
  const { operation, collection } = saving;
  return ownCheck({
    id: apartId(collection, 'again'),
    kind: 'states',
    title: `further autosaves of a published record of ${collection}, sent as forms, leave it as it is`,
    on: operation,
    needs: [checkId(operation.id, 'form'), apartId(collection)],
    async run(own) {
      const answers = (await formsOf(own, saving)).map(({ answer }) => answer);
      const saved = answers.findLast(({ answer }) => answer === 'accepted');
      if (saved === undefined) return inconclusive('no form with fields is accepted');
      const { record } = await savedRecord(own, collection, operation);
      return evaluateApart(own, 'a further autosave, sent as a form,', { record, saved });
    },
  });
}

function formCheck(saving: Saving, field: WritableField): Check {
  return fieldFormCheck(field, {
    after: [],
    async run(own) {
      const forms = (await formsOf(own, saving)).filter(({ written }) => written.has(field.name));
      if (forms.length === 0)
        return evaluateAlone(own, saving, field, orAbort(await valueFor(own, saving, field)).value);
      for (const { written } of forms.filter(({ answer }) => answer.answer !== 'accepted')) {
        const found = await evaluateAlone(own, saving, field, written.get(field.name));
        if (found.length > 0) return found;
      }
      return [];
    },
  });
}

/** Saves a field in a form of its own, which decides if the form with many fields is not accepted. */
async function evaluateAlone(
  own: OwnRecords,
  saving: Saving,
  field: WritableField,
  value: unknown,
): Promise<Finding[]> {
  const { operation } = saving;
  const fields = bodyOf([field], new Map([[field.name, value]]));
  const answer = await saveByForm(own, saving, await published(own, saving), fields);
  if (answer.answer === 'accepted') return [];
  const control = await saveByForm(own, saving, await published(own, saving), {});
  const what = `${show(value)} for ${field.label} in a form of ${operation.id}`;
  const finding = evaluateAcceptance(what, answer, control);
  if (finding?.kind !== 'failure') return finding === undefined ? [] : [finding];
  // Some versions look up ids, and refuse unknown ones.
  const inJson = await save(own, saving, await published(own, saving), fields, (json) => ({ json }));
  if (inJson.answer !== 'refused') return [finding];
  return [inconclusive(`${show(value)} for ${field.label} is refused in JSON too (${explain(inJson)})`)];
}

/** The forms with all fields, sent once for all checks, as autosaves of the record that has one. */
const formsOf = ownFixture(
  'forms of autosaves',
  async (own, saving: Saving): Promise<Pick<Write, 'written' | 'answer'>[]> => {
    const { operation, collection } = saving;
    const { record } = await savedRecord(own, collection, operation);
    const forms = [];
    for (const written of await valuesOfForms(operation, (field) => valueFor(own, saving, field))) {
      const fields = bodyOf(formFields(operation), written);
      forms.push({ written, answer: await saveByForm(own, saving, record, fields) });
    }
    return forms;
  },
  ({ operation }) => [operation],
);

/** Values as the first autosave has them; the parent of an autosave is its record, unless records have one too (R14). */
async function valueFor(own: OwnRecords, { operation, collection }: Saving, field: WritableField) {
  const create = operationFor(own.contract, collection, 'create');
  const isOfRecord = field.name === 'parent' && !(create && takes(create, 'parent'));
  if (!isOfRecord) return formValue(own, collection, field, ROUNDS.first);
  return { value: (await savedRecord(own, collection, operation)).record.id };
}

/** A published record: an autosave of a draft would change the draft itself. @throws Aborted */
async function published(own: OwnRecords, { collection }: Saving): Promise<OwnRecord> {
  return must.create(`a creation in ${collection}`, await newDraft(own, collection, 'publish'));
}

const saveByForm = (
  own: OwnRecords,
  saving: Saving,
  record: OwnRecord,
  fields: JsonObject,
): Promise<Observation> => save(own, saving, record, fields, (stated) => ({ form: encodeArgs(stated) }));

/** Saves fields with a new text, because unchanged content is not saved. */
function save(
  own: OwnRecords,
  { operation, collection }: Saving,
  { id }: OwnRecord,
  fields: JsonObject,
  encode: (stated: JsonObject) => RequestBody,
): Promise<Observation> {
  const body = encode(own.stated(collection, { content: `<p>${own.nextSlug()}</p>`, ...fields }));
  return own.send({ method: 'POST', route: routeFor(operation, id), body });
}
