import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { cannotTell } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failure } from '../../../engine/findings.ts';
import { fixture } from '../../../engine/fixture.ts';
import { describe, evaluateRefusal } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { untoldBy, whyNot } from '../../../probing/records/own/judge-write.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import { routeFor } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import { listsMedia, pictureOf } from './own-picture.ts';

const ARGS = { flip: { horizontal: true, vertical: false } };
const FLIP = { type: 'flip', args: ARGS };

/** Edits that must be refused, each the flip but for one thing. */
const REFUSED: readonly { word: string; title: string; turn: (body: EditBody) => object }[] = [
  { word: 'src', title: 'an edit without src', turn: ({ modifiers }) => ({ modifiers }) },
  {
    word: 'modifier',
    title: 'an edit with an empty list of modifiers',
    turn: ({ src }) => ({ src, modifiers: [] }),
  },
  {
    word: 'type',
    title: 'an edit whose modifier has no type',
    turn: ({ src }) => ({ src, modifiers: [{ args: ARGS }] }),
  },
  {
    word: 'args',
    title: 'an edit whose modifier has no args',
    turn: ({ src }) => ({ src, modifiers: [{ type: 'flip' }] }),
  },
];

interface EditBody {
  readonly src: string;
  readonly modifiers: readonly object[];
}

/** Checks of media edit (§4.8), on an own picture: what it makes is an own record as well. */
export function mediaEditChecks({ id: collection, section }: Resource, operation: Operation): Check[] {
  const needs = [checkId(`${collection}.create`, 'method', 'POST'), serves(operation, 'POST')];
  return [
    ownCheck({
      id: checkId(collection, 'flip'),
      kind: 'writes',
      title: 'an edit of an own picture that flips it makes another media item',
      section,
      basis: 'stated',
      on: operation,
      needs,
      run: (session, own) => flip(session, own, operation),
    }),
    ...REFUSED.map(({ word, title, turn }) =>
      ownCheck({
        id: checkId(collection, 'edit-without', word),
        kind: 'refused',
        title: `${title} is refused`,
        section,
        basis: 'stated',
        on: operation,
        needs,
        async run(session, own) {
          const picture = await pictureOf(session, own, collection);
          const { answer: invalid } = await edit(session, own, operation, picture, turn(flipOf(picture)));
          const { answer: control } = await flipped(session, own, operation);
          const finding = evaluateRefusal(title, invalid, control);
          return finding === undefined ? [] : [finding];
        },
      }),
    ),
  ];
}

/** The flip of the run's picture, asked for once: the control of every edit that must be refused. */
const flipped = fixture('own picture flipped by', async (session, own: OwnRecords, operation: Operation) => {
  const picture = await pictureOf(session, own, operation.resource?.id ?? '');
  return edit(session, own, operation, picture, flipOf(picture));
});

function flipOf({ created }: OwnRecord): EditBody {
  const src = member(created.json, 'source_url');
  if (typeof src === 'string') return { src, modifiers: [FLIP] };
  throw cannotTell('the own picture does not show the address of its file');
}

async function flip(session: Session, own: OwnRecords, operation: Operation): Promise<Finding[]> {
  const { answer, made } = await flipped(session, own, operation);
  const untold = untoldBy('an edit that flips an own picture', answer);
  if (untold !== undefined) return [untold];
  // What the args of a flip hold is silent (§4.8): others may be wanted.
  if (answer.answer !== 'accepted') {
    throw cannotTell(`the site does not take these args for a flip (${describe(answer)})`);
  }
  if (made === undefined) {
    throw cannotTell(`the edit does not show which media item it made (${describe(answer)})`);
  }
  if ('refused' in made) throw whyNot(made, 'the edited picture is not known to be own');
  const { id } = made;
  const { listed, answer: list } = await listsMedia(session, made);
  if (listed) return [];
  return [
    failure(`a flipped picture is not in the list of ${made.collection}`, {
      expected: `media item ${id}`,
      observed: describe(list),
      reproduce: [answer.curl, list.curl],
    }),
  ];
}

/** The answer to an edit, and the record that it names beside the picture. */
interface Edited {
  readonly answer: Observation;
  readonly made: OwnRecord | NotCreated | undefined;
}

/** Sends an edit; what it makes, also by mistake, is noted as own when it carries the run's tag. */
async function edit(
  session: Session,
  own: OwnRecords,
  operation: Operation,
  picture: OwnRecord,
  json: object,
): Promise<Edited> {
  const { collection } = picture;
  own.intend(collection, picture.slug);
  const answer = await session.client.request({
    method: 'POST',
    route: routeFor(operation, picture.id),
    body: { json },
    as: 'user',
    intent: 'own-record',
  });
  const id = member(answer.json, 'id');
  const named = answer.answer === 'accepted' && typeof id === 'number' && id !== picture.id;
  return { answer, made: named ? await own.adopt(collection, picture.slug, id, answer) : undefined };
}
