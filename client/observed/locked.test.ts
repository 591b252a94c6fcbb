import { expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { ACCEPTED } from '../observation.fixture.ts';
import { readIndex } from '../site-index.ts';
import { AnswerRecorder } from './recorder.ts';

const ROUTE = '/x/v1/notes';

function recorderOf(): AnswerRecorder {
  const routes = { [ROUTE]: { namespace: 'x/v1', endpoints: [] } };
  const index = readIndex({ namespaces: ['x/v1'], routes }, '');
  const base = new URL('https://site.example');
  return new AnswerRecorder({ names: textsOf('observed'), index, base, redact: (text) => text });
}

it.each([
  ['words', '<p>secret</p>', { hidden: 0, shown: 1 }],
  ['nothing', '', { hidden: 1, shown: 0 }],
  [
    'a form for the password',
    '<p>Enter the password:</p><form><input name="p" type="password" /></form>',
    { hidden: 1, shown: 0 },
  ],
  ['tags alone', '<div class="ad"></div>\n<input value="7">', { hidden: 1, shown: 0 }],
])('takes a protected text for shown by its words: %s', (_, rendered, locked) => {
  const recorder = recorderOf();
  const json = [{ id: 1, content: { rendered, protected: true } }];
  recorder.note({ method: 'GET', route: ROUTE }, { ...ACCEPTED, json, text: JSON.stringify(json) });

  expect(recorder.take(true).answers[0]?.locked).toEqual(locked);
});

it.each([
  ['of the tour', { noted: 'status=draft' }, { public: 1, hidden: 0 }],
  ['of a check', {}, undefined],
])('notes whether records are public in a request %s for a status', (_, noted, published) => {
  const recorder = recorderOf();
  const json = [{ id: 1, status: 'publish' }];
  const spec = { method: 'GET', route: ROUTE, query: [['status', 'draft']], ...noted } as const;
  recorder.note(spec, { ...ACCEPTED, json, text: JSON.stringify(json) });

  expect(recorder.take(true).answers[0]?.published).toEqual(published);
});
