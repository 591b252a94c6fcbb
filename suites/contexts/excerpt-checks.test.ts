import { describe, expect, it } from 'vitest';
import { isObject } from '../../client/json.ts';
import { faultySite, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { excerptChecks } from './excerpt-checks.ts';

const site = faultySite('core');
const ID = 'posts.read/excerpt_length/shortens';
/** The published post with the latest date. */
const LATEST = 25;

async function resultOf(mutant: Mutant) {
  return (await site.results(mutant, excerptChecks)).get(ID);
}

/** A site whose excerpts are of another kind. */
function showing(excerpt: Readonly<Record<string, string>>): Mutant {
  const shown = (json: unknown): unknown =>
    isObject(json) ? { ...json, excerpt: { ...Object(json.excerpt), ...excerpt } } : json;
  return { answers: (json) => (Array.isArray(json) ? json.map(shown) : shown(json)) };
}

describe('a generated excerpt', () => {
  it('is shorter if that is asked for', async () => {
    expect((await resultOf({}))?.verdict).toBe('pass');
  });

  it('is that of another record if the latest one has an excerpt of its own', async () => {
    const shown = (json: unknown): unknown =>
      isObject(json) && json.id === LATEST
        ? { ...json, excerpt: { raw: 'By hand.', rendered: 'By hand.' } }
        : json;
    const byHand: Mutant = { answers: (json) => (Array.isArray(json) ? json.map(shown) : shown(json)) };

    expect((await resultOf(byHand))?.verdict).toBe('pass');
    const isIgnored = await resultOf({ ...byHand, asks: (query) => query.delete('excerpt_length') });
    expect(isIgnored?.verdict).toBe('fail');
  });

  it('is shorter too if the usual one has few words', async () => {
    const isAsked = (query: URLSearchParams): boolean => query.has('excerpt_length');
    const few = (json: unknown, query: URLSearchParams): unknown =>
      showing({ rendered: isAsked(query) ? 'Two' : 'Two words' }).answers?.(json, query);

    expect((await resultOf({ answers: few }))?.verdict).toBe('pass');
  });

  it('is reported if it is as long as ever', async () => {
    const found = await resultOf({ asks: (query) => query.delete('excerpt_length') });
    expect(found?.verdict).toBe('fail');
    expect(found?.message).toContain('an excerpt is as long with excerpt_length 1 as without it');
  });

  it('shows nothing if the server fails, which another check reports', async () => {
    const fails: Mutant = { status: (query) => (query.has('excerpt_length') ? 500 : undefined) };
    expect((await resultOf(fails))?.verdict).toBe('inconclusive');
  });

  it.each([
    ['is one of its own', { raw: 'Written by hand.' }],
    ['has few words', { rendered: '<p>Two words</p>' }],
    ['is hidden', { rendered: '' }],
  ])('shows nothing if it %s', async (_case, excerpt) => {
    expect((await resultOf(showing(excerpt)))?.verdict).toBe('inconclusive');
  });
});
