import { expect, it } from 'vitest';
import { type Change, type ChangeSpec, change } from '../change.ts';
import { type Effect, KINDS, type Kind } from '../law.ts';
import { groupsOf } from './groups.ts';

const TEMPLATES = '/wp/v2/templates/(?P<parent>[\\d]+)';

function changed(more: Partial<ChangeSpec>): Change {
  const place = more.place ?? TEMPLATES;
  return change({
    id: `index/routes/${place}/${more.kind}/${more.subject}`,
    kind: 'constraint',
    effect: 'narrows',
    owner: 'wp/v2',
    place,
    subject: 'parent',
    isText: true,
    ...more,
  });
}

function headlineOf(...changes: readonly Change[]): string | undefined {
  return groupsOf(changes)[0]?.headline;
}

it('says once for all routes what a path parameter accepts', () => {
  const slug = '(?P<parent>([^/:<>\\*\\?"\\|]+(?:/[^/:<>\\*\\?"\\|]+)?)[/\\w%-]+)';
  const routes = ['revisions', 'autosaves', 'revisions/(?P<id>[\\d]+)'].map((part) =>
    changed({
      kind: 'path-parameter',
      subject: 'path parameter parent',
      place: `the route ${TEMPLATES}/${part}`,
      before: '(?P<parent>[\\d]+)',
      after: '(?P<parent>[\\w-]+)',
    }),
  );
  const [first] = routes;

  expect(headlineOf(...routes)).toBe('templates: `parent` accepts a slug, not a number: 3 routes');
  expect(first && headlineOf(first)).toBe(
    '/wp/v2/templates/{parent}/revisions: `parent` accepts a slug, not a number',
  );
  expect(
    headlineOf(
      changed({
        kind: 'path-parameter',
        subject: 'path parameter parent',
        before: slug,
        after: '(?P<parent>[\\d]+)',
      }),
    ),
  ).toBe('/wp/v2/templates/{parent}: `parent` accepts a number, not a path');
});

it('says which earlier values a path parameter still accepts', () => {
  const [before, after] = ['(?P<parent>[\\d]+)', '(?P<parent>[^/]+[/\\w-]+)'];
  const one = { kind: 'path-parameter', subject: 'path parameter parent', before, after } as const;

  expect(headlineOf(changed({ ...one, effect: 'incomparable' }))).toContain('a path, but not every number');
  expect(headlineOf(changed({ ...one, effect: 'widens' }))).toContain('a path, not only a number');
});

it('says once for a namespace that parameters are described in other words', () => {
  const worded = ['date title', 'date description', 'email title'].map((subject) =>
    changed({ effect: 'none', subject, before: 'nothing', after: subject }),
  );

  expect(groupsOf(worded)).toMatchObject([
    {
      headline: '/wp/v2/templates/{parent}: 2 parameters described in other words',
      sentence: expect.stringContaining('; likewise date description, email title.'),
    },
  ]);
});

it.each([
  [
    { subject: 'kind enum,type', before: '{"type":"string","enum":["a"]}', after: '{"type":"array"}' },
    '`kind` is a list, not a single value',
  ],
  [
    { kind: 'header-words', subject: 'cache-control', before: 'without private', after: 'with private' },
    'the header `cache-control` now says private',
  ],
  [
    { kind: 'header-words', subject: 'allow', before: 'with PUT', after: 'without PUT' },
    'the header `allow` no longer says PUT',
  ],
  [
    { kind: 'answer-type', subject: 'author', before: 'integer', after: 'text' },
    '`author` is a text, not an integer',
  ],
  [
    { kind: 'answer-type', subject: 'author', before: 'never null', after: 'null' },
    '`author` may also be null',
  ],
  [{ kind: 'answer-member-removed', subject: 'link' }, '`link` was removed'],
  [
    { kind: 'right-gained', subject: 'members of context=edit to an anonymous caller', after: 'title.raw' },
    'title.raw is now shown to an anonymous caller, and only context=edit showed it',
  ],
  [
    {
      kind: 'answer-value',
      subject: 'title written with markup',
      before: 'with markup',
      after: 'without markup',
    },
    'what is written to `title` loses markup',
  ],
  [{ kind: 'header-removed', subject: 'x-wp-total' }, 'the header `x-wp-total` was removed'],
  [{ subject: 'per_page maximum', before: '100', after: '50' }, '`per_page` maximum is 50, not 100'],
  [
    { subject: 'per_page enum', before: `[${'1,'.repeat(200)}]`, after: '[]' },
    '`per_page` enum accepts fewer values than before',
  ],
  [
    { subject: 'meta properties/colour', effect: 'widens', after: '{"type":"string"}' },
    'the member `colour` of `meta` is new',
  ],
  [
    { subject: 'meta properties/colour', effect: 'narrows', before: '{"type":"string"}' },
    'the member `colour` of `meta` was removed',
  ],
] as const)('describes %j in the words of a client', (more, said) => {
  expect(headlineOf(changed({ place: '/wp/v2/posts', ...more }))).toBe(`/wp/v2/posts: ${said}`);
});

const KIND_NAMES = Object.keys(KINDS).filter((name): name is Kind => Object.hasOwn(KINDS, name));

it.each(KIND_NAMES)('fits a line without expressions, whatever the length of names: %s', (kind) => {
  const long = `${TEMPLATES}/${'a-long-name/'.repeat(40)}(?P<rest>.*`;
  const texts = { before: long, after: `${long}b`, with: [long], evidence: long };
  const one = changed({ kind, place: long, subject: `${long} maximum`, ...texts });
  const other = changed({ kind, place: `${long}/other`, subject: `${long} maximum`, ...texts });

  for (const headline of [headlineOf(one), headlineOf(one, other)]) {
    expect(headline?.length).toBeLessThanOrEqual(120);
    expect(headline).not.toContain('(?P<');
  }
});

it('says once what members callers may send, if all are new in the same places', () => {
  const added = (name: string, place: string, effect: Effect = 'widens'): Change =>
    changed({ subject: `meta properties/${name}`, effect, place: `POST ${place}`, after: '{}' });
  const [posts, pages] = ['/wp/v2/posts', '/wp/v2/pages'];
  const both = ['colour', 'size'].flatMap((name) => [added(name, posts), added(name, pages)]);
  const others = [added('weight', posts), added('price', pages, 'narrows')];

  expect(groupsOf([...both, ...others]).map(({ headline }) => headline)).toEqual([
    'POST /wp/v2/pages: the member `price` of `meta` is new and required',
    'POST posts, pages: the member `colour` of `meta` is new, likewise `size`: 2 routes',
    'POST /wp/v2/posts: the member `weight` of `meta` is new',
  ]);
});

it('counts routes, not methods', () => {
  const added = (method: string, route: string): Change =>
    changed({ kind: 'parameter-added', subject: 'meta', place: `${method} ${route}` });
  const one = ['POST', 'PUT', 'PATCH'].map((method) => added(method, '/wp/v2/blocks/(?P<id>[\\d]+)'));

  expect(headlineOf(...one, added('POST', '/wp/v2/blocks'))).toBe(
    'blocks: the parameter `meta` is new: 2 routes',
  );
  expect(headlineOf(...one)).toBe('blocks: the parameter `meta` is new: 3 methods');
});

it('shows the end of a long path', () => {
  const subject = 'head_json.schema.@graph[].potentialAction[].query-input';
  const change = changed({
    kind: 'answer-type',
    place: '/wp/v2/posts',
    subject,
    before: 'text',
    after: 'object',
  });

  expect(headlineOf(change)).toBe(
    '/wp/v2/posts: `…@graph[].potentialAction[].query-input` is an object, not a text',
  );
});

it('counts another member that changed likewise if there is no room for its name', () => {
  const both = (size: number): string | undefined => {
    const answer = { kind: 'answer-type', effect: 'incomparable', before: 'integer', after: 'text' } as const;
    const names = ['a', 'b'].map((letter) => letter.repeat(size));
    return headlineOf(...names.map((subject) => changed({ ...answer, place: '/wp/v2/search', subject })));
  };

  expect(both(9)).toBe('/wp/v2/search: `aaaaaaaaa` is a text, not an integer, likewise `bbbbbbbbb`');
  expect(both(40)).toBe(
    `/wp/v2/search: \`${'a'.repeat(40)}\` is a text, not an integer, likewise 1 other member`,
  );
});

it('names the common method of all routes, and fewer routes if the sentence would be too long', () => {
  const routes = ['block-types', 'block-directory', 'categories', 'comments'];
  const lines = (more: Partial<ChangeSpec>): string | undefined =>
    headlineOf(...routes.map((route) => changed({ ...more, place: `HEAD /wp/v2/${route}` })));
  const refused = { kind: 'answer-refused', subject: 'the request', after: '405' } as const;
  const charset = {
    kind: 'header-words',
    subject: 'content-type',
    before: 'charset=utf-8',
    after: 'charset=iso-8859-1',
  } as const;

  expect(lines(refused)).toBe(
    'HEAD block-types, block-directory, categories and 1 more: refused with 405, and was answered: 4 routes',
  );
  expect(lines(charset)).toBe(
    'HEAD block-types and 3 more: the header `content-type` says charset=iso-8859-1, not charset=utf-8: 4 routes',
  );
});

it('names the words that an enum has lost, if they are few', () => {
  const lost = (...words: readonly string[]): Change => {
    const all = ['author', 'date', 'relevance', 'modified', 'title', 'parent', ...words];
    const after = all.filter((word) => !words.includes(word));
    return changed({ subject: 'orderby enum', isText: false, before: all, after, lost: words });
  };

  expect(headlineOf(lost('slug'))).toContain('`orderby` no longer accepts "slug"');
  expect(headlineOf(lost('a-long-word', 'another-long-word'))).toContain(
    '`orderby` enum accepts fewer values',
  );
});

it('says that a connection breaks, and joins members that refusals lack', () => {
  const place = '/wp/v2/posts';
  const members = ['details', 'params'].map((name) => `data.${name} of "rest_invalid_param"`);

  expect(headlineOf(changed({ kind: 'answer-refused', subject: 'the request', after: '0', place }))).toBe(
    '/wp/v2/posts: the connection breaks, and it was answered',
  );
  expect(
    headlineOf(...members.map((subject) => changed({ kind: 'refusal-member-removed', subject, place }))),
  ).toBe('/wp/v2/posts: data.details of "rest_invalid_param" was removed, likewise `data.params`');
});
