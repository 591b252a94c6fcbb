import { describe, expect, it } from 'vitest';
import data from './value-hints.json' with { type: 'json' };
import { isRemoving, valueKindOf, wordsOf } from './value-hints.ts';

it('names only kinds of values that exist', () => {
  expect(data.names.map(({ kind }) => kind).filter((kind) => !Object.hasOwn(data.kinds, kind))).toEqual([]);
});

describe('the name of a parameter', () => {
  it.each([
    ['post_type', 'string', ['post', 'page']],
    ['postTypeName', undefined, ['post', 'page']],
    ['contentType', 'string', ['post', 'page']],
    ['taxonomyName', undefined, ['category', 'post_tag']],
    ['locale', 'string', ['en', 'en_US']],
    ['countryCode', 'string', ['us', 'US']],
  ])('suggests values of sites: %s', (name, type, values) => {
    expect(valueKindOf(name, type === undefined ? {} : { type })?.values).toEqual(values);
  });

  it.each([
    ['url', 'string', 'posts.link'],
    ['person_logo', 'string', 'media.source_url'],
    ['person_logo_id', 'integer', 'media.id'],
    ['company_or_person_user_id', 'integer', 'posts.author'],
    ['post__not_in', 'array', 'posts.id'],
    ['id', 'integer', 'posts.id'],
  ])('suggests where the site shows some: %s', (name, type, source) => {
    expect(valueKindOf(name, { type })?.from?.[0]).toBe(source);
  });

  it.each([
    ['term', 'string'],
    ['id', 'string'],
    ['curl', 'string'],
    ['keyphrase', 'string'],
    ['websiteId', undefined],
  ])('suggests nothing if a word has another type, or is only a part of one: %s', (name, type) => {
    expect(valueKindOf(name, type === undefined ? {} : { type })).toBeUndefined();
  });

  it('is split at underscores, hyphens and capitals', () => {
    expect(wordsOf('aName_of-manyParts2')).toEqual(['a', 'name', 'of', 'many', 'parts2']);
  });
});

describe('isRemoving', () => {
  it.each(['/acme/v1/plugin/delete', '/acme/v1/resetAll'])('recognises removals: %s', (name) => {
    expect(isRemoving(name)).toBe(true);
  });

  it.each(['/acme/v1/settings', '/acme/v1/deleted-orders'])('compares whole words: %s', (name) => {
    expect(isRemoving(name)).toBe(false);
  });
});
