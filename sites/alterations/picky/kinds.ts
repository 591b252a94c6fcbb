import { isObject, type Json } from '../../reference/json.ts';
import { fileAddress, permalink } from '../../reference/show-record.ts';
import type { Site } from '../../reference/site.ts';

/** Whether a site has what a value names; without a site, whether any site could have it. */
export type Kind = (value: Json, site?: Site) => boolean;

function oneOf(...words: readonly string[]): Kind {
  return (value) => words.includes(String(value));
}

function shaped(pattern: RegExp): Kind {
  return (value) => pattern.test(String(value));
}

/** The kinds of values, by the words that the rules use. */
export type KindName =
  | 'content type'
  | 'taxonomy'
  | 'taxonomy or none'
  | 'language'
  | 'country'
  | 'version'
  | 'date'
  | 'user'
  | 'record'
  | 'term'
  | 'address'
  | 'image'
  | 'image id'
  | 'content types'
  | 'content type ids'
  | 'something in it'
  | 'updates of records'
  | 'platform'
  | 'code'
  | 'website id'
  | 'alert key'
  | 'integration'
  | 'task of options'
  | 'element type'
  | 'favorites type';

/** What plugins take a value for, by the word that their rules use. */
export const KINDS: Readonly<Record<KindName, Kind>> = {
  'content type': oneOf('post', 'page'),
  taxonomy: oneOf('category', 'post_tag'),
  'taxonomy or none': oneOf('', 'category', 'post_tag'),
  language: shaped(/^[a-z]{2}(_[A-Z]{2})?$/),
  country: shaped(/^[a-z]{2}$/i),
  version: shaped(/^\d+\.\d+/),
  date: shaped(/^\d{4}-\d\d-\d\d/),
  user: (value, site) => site?.accounts.some(({ id }) => id === Number(value)) !== false,
  record: (value, site) => site === undefined || site.store.get(Number(value)) !== undefined,
  term: (value, site) => site?.store.terms.some(({ id }) => id === Number(value)) !== false,
  address: (value, site) => site === undefined || addressesOf(site).includes(String(value)),
  image: (value, site) =>
    site?.store.all().some((one) => one.file && fileAddress(site, one) === value) !== false,
  'image id': (value, site) => site === undefined || site.store.get(Number(value))?.file !== undefined,
  'content types': (value, site) => each(value, (one) => KINDS['content type'](one, site)),
  'content type ids': (value, site) => each(value, (one) => KINDS.record(one, site)),
  'something in it': (value) =>
    Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0,
  'updates of records': (value, site) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isObject(one) && KINDS.record(Number(one.id), site)),
  platform: oneOf('Google', 'Facebook', 'Twitter'),
  code: oneOf('the-code-of-the-owner'),
  'website id': oneOf('4711'),
  'alert key': oneOf('first-time-notice'),
  integration: oneOf('analytics'),
  'task of options': (value) => isObject(value) && value.task === 'write-a-post',
  'element type': oneOf('heading'),
  'favorites type': oneOf('widgets'),
};

function each(value: Json, holds: (one: Json) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function addressesOf(site: Site): string[] {
  const published = site.store.all().filter(({ file }) => file === undefined);
  return [site.url, `${site.url}/`, ...published.map((one) => permalink(site, one))];
}
