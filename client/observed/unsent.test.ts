import { expect, it } from 'vitest';
import type { RequestSpec } from '../observation.ts';
import type { Template } from './find-template.ts';
import { UnsentNotes } from './unsent.ts';

const ARGS = { status: { enum: ['draft', 'publish'] }, sticky: { type: 'boolean' }, title: {} };

const template = (route: string): Template => ({
  route,
  namespace: 'x/v1',
  methods: new Set(['POST']),
  args: () => ARGS,
});

const NEW: Template = template('/x/v1/notes');
const RECORD = { status: 'draft', sticky: false, title: 'one', author: 1 };

function noted(about: Template, ...sent: Partial<RequestSpec>[]) {
  const notes = new UnsentNotes();
  for (const one of sent) notes.note(about, { method: 'POST', route: about.route, ...one }, RECORD);
  return notes.tallies((text) => text);
}

it('counts the words of fields that a creation leaves to the site', () => {
  expect(noted(NEW, {}, { body: { json: { status: 'draft' } } })).toEqual({
    status: { draft: 1 },
    sticky: { false: 2 },
  });
});

it('shows words of a site masked and cut', () => {
  const long = 'x'.repeat(1000);
  const args = { status: { enum: ['swordfish', long] } };
  const notes = new UnsentNotes();
  for (const status of ['swordfish', long])
    notes.note({ ...NEW, args: () => args }, { method: 'POST', route: NEW.route }, { status });

  expect(notes.tallies((text) => text.replace('swordfish', '[masked]'))).toEqual({
    status: { '[masked]': 1, [long.slice(0, 100)]: 1 },
  });
});

it('counts none that a query or a form names, and none of updates', () => {
  const query = [['status', 'draft']] as const;

  expect(noted(NEW, { query, body: { form: [['sticky', '0']] } })).toBeUndefined();
  expect(noted(template('/x/v1/notes/{id}'), {})).toBeUndefined();
});
