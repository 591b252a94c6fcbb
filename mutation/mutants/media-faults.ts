import { answer } from '../../reference/answer.ts';
import type { Contract } from '../../reference/contract.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { readArguments } from '../../reference/read-arguments.ts';
import type { Call } from '../../reference/site.ts';
import { handling, healthy, turningArgs } from '../toolkit/handling.ts';
import { type Fault, fault } from './fault.ts';
import { REPAIRED, repairing } from './repairs.ts';

/** Faults of uploads and of edits of images (§4.8). */
export function mediaFaults(contract: Contract): Fault[] {
  if (!contract.operations.some(({ id }) => id === 'media.create')) return [];
  const refused = answer({ code: 'no', message: 'No.' }, 400);
  const isForm = (call: Call): boolean => (call.request.headers['content-type'] ?? '').includes('multipart');
  const upload = (how: string, isBroken: (call: Call) => boolean): Fault =>
    fault(
      `media/upload/${how}`,
      'refused',
      `an upload is refused that comes ${how === 'raw' ? 'as the body' : 'in a form'}`,
      handling('media.create', (call) => (isBroken(call) ? refused : healthy(call))),
    );
  const flip = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };
  const edit = (part: string, repair: (given: JsonObject) => JsonObject): Fault =>
    fault(`media/edit-without/${part}`, 'accepted', `an image is edited without ${part}`, {
      readArguments: (parameters, given, { operation }) => {
        if (operation.id !== 'media.edit') return readArguments(parameters, given);
        return readArguments(parameters, repair(given));
      },
      ...repairing('media.edit', 'src'),
    });
  const members = (given: JsonObject): (Json | undefined)[] => {
    const { modifiers } = given;
    return Array.isArray(modifiers) ? modifiers.map((one) => (isObject(one) ? one : undefined)) : [];
  };
  const lacking = (given: JsonObject, name: string): boolean =>
    members(given).some((one) => isObject(one) && !(name in one));
  return [
    upload('raw', (call) => !isForm(call)),
    upload('multipart', isForm),
    ...['media_type', 'mime_type'].map((name) =>
      fault(
        `media/list/${name}`,
        'ignored',
        `media.list ignores ${name}`,
        turningArgs('media.list', ({ [name]: _, ...args }) => args),
      ),
    ),
    fault(
      'media/post-process',
      'refused',
      'images cannot be post-processed',
      handling('media.post-process', () => refused),
    ),
    fault(
      'media/flip',
      'vanishes',
      'flipping an image makes no new one',
      handling('media.edit', async (call) => {
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
