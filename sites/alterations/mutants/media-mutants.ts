import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { answer, type Call, type Site } from '../../reference/site.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { dropping, healthy, mutantsIn, mutantsOn, shownRecord } from '../handling.ts';
import { idOf } from '../selecting.ts';
import { sourceOf } from './enforcement-mutants.ts';

/** Mutants of uploads and of edits of images (§4.8). */
export function mediaMutants(contract: Contract): Mutants {
  return contract.resources
    .filter(({ kind, operations }) => kind === 'uploads' && operations.create)
    .map((resource) => [uploadMutants(resource), editMutants(resource)]);
}

const REFUSED = answer({ code: 'no', message: 'No.' }, 400);

function uploadMutants(resource: Resource): Mutants {
  const { id } = resource;
  const uploads = mutantsOn(resource, 'create', `${id}/upload`, 'an upload');
  const inForms = uploads.where(isForm);
  const list = mutantsOn(resource, 'list', `${id}/list`, idOf(resource, 'list'));
  return [
    uploads.handler('raw~refused', 'is refused that comes as the body', (call) =>
      isForm(call) ? healthy(call) : REFUSED,
    ),
    inForms.handler('multipart~refused', 'is refused that comes in a form', () => REFUSED),
    inForms.args('multipart~without-fields', 'that comes in a form loses its title', dropping('title')),
    inForms.args('multipart~with-its-title-alone', 'in a form takes its title alone', dropping('alt_text')),
    ['caption', 'date', 'author', 'post', 'slug'].map((name) =>
      inForms.args(`multipart~without-${name}`, `that comes in a form loses ${name}`, dropping(name)),
    ),
    mutantsOn(resource, 'create', `${id}/list`, 'an upload').answer(
      'media_type~guessed',
      'is always taken for a picture',
      (shown, call) => {
        const { file } = shownRecord(shown, call) ?? {};
        if (file !== undefined) file.type = 'image/png';
        return shown;
      },
    ),
    ['media_type', 'mime_type'].map((name) =>
      list.args(`${name}~ignored`, `ignores ${name}`, dropping(name)),
    ),
  ];
}

function isForm({ request }: Call): boolean {
  return (request.headers['content-type'] ?? '').includes('multipart');
}

const FLIP = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };

function editMutants(resource: Resource): Mutants {
  const { id } = resource;
  const edit = idOf(resource, 'edit');
  const editing = (part: string, repair: (given: JsonObject, site: Site) => JsonObject): Mutant =>
    mutantsIn(edit, `${id}/edit-without/${part}`, 'an image is edited').reading(
      '~accepted',
      `without ${part}`,
      (given, read, { site }) => read(repair(given, site)),
    );
  const withFlip = (part: string, lacks: (modifiers: Json[]) => boolean): Mutant =>
    editing(part, (given) => {
      const modifiers = Array.isArray(given.modifiers) ? given.modifiers : [];
      return lacks(modifiers) ? { ...given, modifiers: [FLIP] } : given;
    });
  return [
    mutantsIn(idOf(resource, 'post-process'), id).handler(
      'post-process~refused',
      'is refused',
      () => REFUSED,
    ),
    mutantsIn(edit, id).answer('flip~vanishes', 'flips an image and makes no new one', (shown, call) => {
      const made = shownRecord(shown, call);
      if (made) call.site.store.remove(made);
      return shown;
    }),
    Object.entries({ flip: 'edit', 'post-process': 'post-process' }).map(([check, role]) =>
      mutantsOn(resource, role, `${id}/${check}`).follow('~renames', 'renames the original', (stored) => {
        stored.title = `${stored.title} 2`;
      }),
    ),
    editing('src', (given, site) => ({ src: sourceOf(site, given), ...given })),
    withFlip('modifier', (modifiers) => modifiers.length === 0),
    ['type', 'args'].map((name) =>
      withFlip(name, (modifiers) => modifiers.some((one) => isObject(one) && !(name in one))),
    ),
    withFlip('second', (modifiers) => modifiers.slice(1).some((one) => isObject(one) && !('args' in one))),
  ];
}
