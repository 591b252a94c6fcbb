import { expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { ACCEPTED } from '../observation.fixture.ts';
import { readIndex } from '../site-index.ts';
import type { ObservedAnswers } from './document.ts';
import { AnswerRecorder } from './recorder.ts';

const NOTES = '/x/v1/notes';

function entry(...methods: string[]): object {
  return { namespace: 'x/v1', endpoints: [{ methods, args: {} }] };
}

const INDEX = readIndex(
  {
    namespaces: ['x/v1'],
    routes: { [NOTES]: entry('GET', 'POST'), [`${NOTES}/(?P<id>[\\d]+)`]: entry('GET', 'DELETE') },
  },
  '',
);

const PARTS = [
  { path: NOTES, body: { title: 'one' } },
  { path: NOTES, method: 'POST', body: {} },
  { path: `${NOTES}/9?force=true`, method: 'DELETE' },
];

/** What is noted of a batch with these responses. */
function observed(responses: readonly unknown[]): ObservedAnswers {
  const recorder = new AnswerRecorder({
    names: textsOf('observed'),
    index: INDEX,
    base: new URL('https://site.example'),
    redact: (text) => text,
  });
  recorder.note(
    { method: 'POST', route: '/batch/v1', as: 'user', body: { json: { requests: PARTS } } },
    { ...ACCEPTED, method: 'POST', status: 207, text: '{}', json: { responses } },
  );
  return recorder.take(true);
}

it('notes the parts of a batch like requests of their own, apart from others', () => {
  const { answers, refusals } = observed([
    { status: 201, headers: { Location: 'https://site.example/8' }, body: { id: 8, title: 'one' } },
    { status: 400, headers: [], body: { code: 'empty', message: '', data: { status: 400 } } },
    { status: 200, headers: [], body: { deleted: true } },
  ]);

  expect(refusals.map(({ route }) => route)).not.toContain(NOTES);
  expect(answers).toMatchObject([
    {
      route: NOTES,
      method: 'POST',
      caller: 'user',
      with: ['a part of a batch'],
      statuses: { 201: 1, 400: 1 },
      accepted: 1,
      members: { title: {} },
      headers: { location: {} },
    },
    { method: 'DELETE', with: ['force', 'a part of a batch'], statuses: { 200: 1 }, forms: { object: 1 } },
  ]);
  expect(answers[0]?.seconds).toBeUndefined();
});

it('notes no part of a batch unless each has an answer', () => {
  expect(observed([null]).answers).toEqual([]);
  expect(observed([null, { status: 400 }, null]).answers).toMatchObject([{ statuses: { 400: 1 } }]);
});
