import { readArguments } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { type Answer, answer, type Call } from '../../reference/site.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { handling, healthy, idOf, turningArgs } from '../handling.ts';
import { REPAIRED, repairing } from './enforcement-mutants.ts';

/** Mutants of uploads and of edits of images (§4.8). */
export function mediaMutants(contract: Contract): Mutant[] {
  return contract.resources
    .filter(({ kind, operations }) => kind === 'uploads' && operations.create)
    .flatMap((resource) => [...uploadMutants(resource), ...editMutants(resource)]);
}

function refusedAnswer(): Answer {
  return answer({ code: 'no', message: 'No.' }, 400);
}

function uploadMutants(resource: Resource): Mutant[] {
  const list = idOf(resource, 'list');
  const refused = refusedAnswer();
  const isForm = (call: Call): boolean => (call.request.headers['content-type'] ?? '').includes('multipart');
  const upload = (how: string, isBroken: (call: Call) => boolean): Mutant =>
    mutant(
      `${resource.id}/upload/${how}`,
      'refused',
      `an upload is refused that comes ${how === 'raw' ? 'as the body' : 'in a form'}`,
      handling(idOf(resource, 'create'), (call) => (isBroken(call) ? refused : healthy(call))),
    );
  return [
    upload('raw', (call) => !isForm(call)),
    upload('multipart', isForm),
    ...['media_type', 'mime_type'].map((name) =>
      mutant(
        `${resource.id}/list/${name}`,
        'ignored',
        `${list} ignores ${name}`,
        turningArgs(list, ({ [name]: _, ...args }) => args),
      ),
    ),
  ];
}

function editMutants(resource: Resource): Mutant[] {
  const { edit: editing } = resource.operations;
  const refused = refusedAnswer();
  const flip = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };
  const edit = (part: string, repair: (given: JsonObject) => JsonObject): Mutant =>
    mutant(`${resource.id}/edit-without/${part}`, 'accepted', `an image is edited without ${part}`, {
      readArguments: (parameters, given, { operation }) => {
        if (operation.id !== editing?.id) return readArguments(parameters, given);
        return readArguments(parameters, repair(given));
      },
      ...(editing ? repairing(editing, 'src') : {}),
    });
  const members = (given: JsonObject): (Json | undefined)[] => {
    const { modifiers } = given;
    return Array.isArray(modifiers) ? modifiers.map((one) => (isObject(one) ? one : undefined)) : [];
  };
  const lacking = (given: JsonObject, name: string): boolean =>
    members(given).some((one) => isObject(one) && !(name in one));
  return [
    mutant(
      `${resource.id}/post-process`,
      'refused',
      'images cannot be post-processed',
      handling(idOf(resource, 'post-process'), () => refused),
    ),
    mutant(
      `${resource.id}/flip`,
      'vanishes',
      'flipping an image makes no new one',
      handling(idOf(resource, 'edit'), async (call) => {
        const shown = await healthy(call);
        const made = isObject(shown.body) ? call.site.store.get(Number(shown.body.id)) : undefined;
        if (made) call.site.store.remove(made);
        return shown;
      }),
    ),
    edit('src', (given) => ({ src: REPAIRED, ...given })),
    edit('modifier', (given) => (members(given).length === 0 ? { ...given, modifiers: [flip] } : given)),
    edit('type', (given) => (lacking(given, 'type') ? { ...given, modifiers: [flip] } : given)),
    edit('args', (given) => (lacking(given, 'args') ? { ...given, modifiers: [flip] } : given)),
  ];
}
