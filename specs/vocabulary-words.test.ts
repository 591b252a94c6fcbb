import { describe, expect, it } from 'vitest';
import { loadContract } from './contract.ts';
import type { Contract } from './model.ts';
import type { Schema } from './schema.ts';
import words from './vocabularies/wordpress.json' with { type: 'json' };

const DEPLOYMENTS = ['a', 'b', 'core'];

/** Names of vendors in the specification's neutral form, anywhere in a word. */
const NEUTRAL =
  /cms|seo|builder|block|host|shop|network_[a-z]_|keywordtool|ranktracker|assistant|image-optimi|theme/;

/** Similar words that are the same on real sites, by place. */
const SAME: Readonly<Record<string, string>> = {
  'namespace oembed/1.0': 'names no vendor',
  'namespace image-optimizer/v1': 'is the plugin’s own name for it',
  'segment themes': 'are themes of the site',
  'segment theme-settings': 'are settings of a theme',
  'segment seo_scores': 'is about a score, not about the plugin',
  'parameter blocks': 'are blocks of a page',
  'member block_version': 'counts the versions of blocks',
  'type seo-title': 'is about a title',
  'type product-seo-title': 'is about a title',
  'type product-taxonomy-seo-title': 'is about a title',
  'type taxonomy-seo-title': 'is about a title',
  'slug assistant': 'nobody has seen the real members: they are doubtful',
  'slug builder': 'nobody has seen the real members: they are doubtful',
  'slug builder-pro': 'nobody has seen the real members: they are doubtful',
  'slug image-optimization': 'nobody has seen the real members: they are doubtful',
};

/** Every word of a contract by place, with the word that is sent. */
function wordsOf({ namespaces, routes, operations }: Contract): [string, string][] {
  return [
    ...namespaces.map(({ name, wire }): [string, string] => [`namespace ${name}`, wire]),
    ...routes.flatMap(({ path, wire, namespace }) => {
      const real = namespaces.find(({ name }) => name === namespace)?.wire ?? '';
      const segments = wire.slice(real.length + 1).split('/');
      return path
        .slice(namespace.length + 1)
        .split('/')
        .map((segment, at): [string, string] => [`segment ${segment}`, segments[at] ?? '']);
    }),
    ...operations.flatMap(({ parameters }) =>
      parameters.flatMap(({ name, wire, schema }): [string, string][] => [
        [`parameter ${name}`, wire],
        ...wordsIn(schema, name).map(([place, word]): [string, string] => [place, word]),
      ]),
    ),
  ];
}

/** Enum members and members of objects. */
function wordsIn(schema: Schema, name: string): [string, string][] {
  return [
    ...(schema.enum ?? []).map((value): [string, string] => [`${name} ${value}`, String(value)]),
    ...Object.entries(schema.properties ?? {}).flatMap(([member, inner]): [string, string][] => [
      [`member ${member}`, member],
      ...wordsIn(inner, member),
    ]),
    ...(schema.items === undefined ? [] : wordsIn(schema.items, name)),
  ];
}

describe.each(DEPLOYMENTS)('the words of deployment %s', (deployment) => {
  const neutral = loadContract({ deployment, vocabulary: 'neutral' });
  const real = loadContract({ deployment, vocabulary: 'wordpress' });

  it('have a word of WordPress, or are known to be the same there', () => {
    const wires = wordsOf(real).map(([, wire]) => wire);
    const same = wordsOf(neutral)
      .filter(([place], at) => NEUTRAL.test(place) && place.split(' ')[1] === wires[at])
      .map(([place]) => place);

    expect(wires.length).toBe(wordsOf(neutral).length);
    expect([...new Set(same)].filter((place) => !Object.hasOwn(SAME, place))).toEqual([]);
  });
});

describe('the words of WordPress', () => {
  it('are each used by a deployment, and so are those that are the same', () => {
    const contracts = DEPLOYMENTS.map((deployment) => loadContract({ deployment, vocabulary: 'neutral' }));
    const used = new Set(contracts.flatMap(wordsOf).map(([place]) => place));
    const { namespaces, segments, parameters, enumValues, metaKeys } = words;
    const listed = [
      ...Object.keys(SAME),
      ...Object.keys(namespaces).map((word) => `namespace ${word}`),
      ...Object.values(segments).flatMap((own) => Object.keys(own).map((word) => `segment ${word}`)),
      ...Object.keys(parameters).map((word) => `parameter ${word}`),
      ...Object.keys(enumValues.editor).map((word) => `editor ${word}`),
      ...Object.keys(metaKeys).map((word) => `member ${word}`),
    ];

    expect(listed.filter((place) => !used.has(place))).toEqual([]);
  });
});
