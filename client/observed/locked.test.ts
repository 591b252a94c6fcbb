import { expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { ACCEPTED } from '../observation.fixture.ts';
import { readIndex } from '../site-index.ts';
import { AnswerRecorder } from './recorder.ts';

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
  const route = '/x/v1/notes';
  const index = readIndex(
    { namespaces: ['x/v1'], routes: { [route]: { namespace: 'x/v1', endpoints: [] } } },
    '',
  );
  const base = new URL('https://site.example');
  const recorder = new AnswerRecorder({ names: textsOf('observed'), index, base, redact: (text) => text });
  const json = [{ id: 1, content: { rendered, protected: true } }];
  recorder.note({ method: 'GET', route }, { ...ACCEPTED, json, text: JSON.stringify(json) });

  expect(recorder.take(true).answers[0]?.locked).toEqual(locked);
});
