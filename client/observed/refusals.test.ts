import { expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { ACCEPTED } from '../observation.fixture.ts';
import type { Observation } from '../observation.ts';
import { readIndex } from '../site-index.ts';
import { AnswerRecorder } from './recorder.ts';

const BASE = 'https://site.example';
const LIST = { namespace: 'x/v1', endpoints: [{ methods: ['GET'], args: {} }] };
const INDEX = readIndex({ namespaces: ['x/v1'], routes: { '/x/v1/notes': LIST } }, '');

it('tells a page beyond the last one from other invalid arguments, also where it is answered', () => {
  const kindsOf = (page: string, ...answers: readonly Partial<Observation>[]): string[] => {
    const names = textsOf('observed');
    const recorder = new AnswerRecorder({ names, index: INDEX, base: new URL(BASE), redact: (text) => text });
    for (const answer of answers)
      recorder.note(
        { method: 'GET', route: '/x/v1/notes', query: [['page', page]] },
        { ...ACCEPTED, ...answer },
      );
    return recorder.take(true).refusals.map(({ kind, status }) => `${kind} ${status}`);
  };
  const refused = { answer: 'refused', status: 400, json: { code: 'invalid' } } as const;
  const empty = (records: string) => ({ json: [], headers: { 'x-wp-total': records } });

  expect([
    kindsOf('1000000', refused),
    kindsOf('1000000', empty('9')),
    kindsOf('1000000', empty('0'), { json: [] }, { ...empty('9'), json: [{ id: 1 }] }),
    kindsOf('3', refused, empty('9')),
    kindsOf('1000000', { answer: 'denied', status: 401 }, { answer: 'broken', status: 500 }),
  ]).toEqual([
    ['page beyond the last 400'],
    ['page beyond the last 200'],
    [],
    ['invalid argument 400'],
    ['denied 401', 'server error 500'],
  ]);
});
