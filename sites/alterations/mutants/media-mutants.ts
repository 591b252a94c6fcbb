import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { answer, type Call } from '../../reference/site.ts';
import { type Mutant, mutant, together } from '../alteration.ts';
import {
  answerMutant,
  argsMutant,
  handlerMutant,
  healthy,
  idOf,
  reading,
  shownRecord,
  without,
} from '../handling.ts';
import { REPAIRED, repairing } from './enforcement-mutants.ts';

/** Mutants of uploads and of edits of images (§4.8). */
export function mediaMutants(contract: Contract): Mutant[] {
  return contract.resources
    .filter(({ kind, operations }) => kind === 'uploads' && operations.create)
    .flatMap((resource) => [...uploadMutants(resource), ...editMutants(resource)]);
}

const REFUSED = answer({ code: 'no', message: 'No.' }, 400);

function uploadMutants(resource: Resource): Mutant[] {
  const { id } = resource;
  const list = idOf(resource, 'list');
  const upload = (how: string, title: string, isRefused: (isForm: boolean) => boolean): Mutant =>
    handlerMutant(`${id}/upload/${how}~refused`, title, idOf(resource, 'create'), (call) =>
      isRefused(isForm(call)) ? REFUSED : healthy(call),
    );
  return [
    upload('raw', 'an upload is refused that comes as the body', (inForm) => !inForm),
    upload('multipart', 'an upload is refused that comes in a form', (inForm) => inForm),
    argsMutant(
      `${id}/upload/multipart~without-fields`,
      'an upload that comes in a form loses the other fields of it',
      idOf(resource, 'create'),
      (args, call) => (isForm(call) ? without(args, 'title') : args),
    ),
    ...['media_type', 'mime_type'].map((name) =>
      argsMutant(`${id}/list/${name}~ignored`, `${list} ignores ${name}`, list, (args) =>
        without(args, name),
      ),
    ),
  ];
}

function isForm({ request }: Call): boolean {
  return (request.headers['content-type'] ?? '').includes('multipart');
}

const FLIP = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };

function editMutants(resource: Resource): Mutant[] {
  const { id, operations } = resource;
  const edit = idOf(resource, 'edit');
  const repairs = operations.edit ? [repairing(operations.edit, 'src')] : [];
  const editing = (part: string, repair: (given: JsonObject) => JsonObject): Mutant =>
    mutant(
      `${id}/edit-without/${part}~accepted`,
      `an image is edited without ${part}`,
      together(
        reading(edit, (given, read) => read(repair(given))),
        ...repairs,
      ),
    );
  const withFlip = (part: string, lacks: (modifiers: Json[]) => boolean): Mutant =>
    editing(part, (given) => {
      const modifiers = Array.isArray(given.modifiers) ? given.modifiers : [];
      return lacks(modifiers) ? { ...given, modifiers: [FLIP] } : given;
    });
  return [
    handlerMutant(
      `${id}/post-process~refused`,
      'images cannot be post-processed',
      idOf(resource, 'post-process'),
      () => REFUSED,
    ),
    answerMutant(`${id}/flip~vanishes`, 'flipping an image makes no new one', edit, (shown, call) => {
      const made = shownRecord(shown, call);
      if (made) call.site.store.remove(made);
      return shown;
    }),
    editing('src', (given) => ({ src: REPAIRED, ...given })),
    withFlip('modifier', (modifiers) => modifiers.length === 0),
    ...['type', 'args'].map((name) =>
      withFlip(name, (modifiers) => modifiers.some((one) => isObject(one) && !(name in one))),
    ),
    withFlip('second', (modifiers) => modifiers.slice(1).some((one) => isObject(one) && !('args' in one))),
  ];
}
