/** A part of the site that its author builds at once, and the checks that ask for it first, as globs. */
export interface Feature {
  readonly feature: string;
  readonly brings: readonly string[];
}

/** Everything that the site can do by and by. What stands first is built first where a check asks for either. */
export const FEATURES: readonly Feature[] = [
  {
    feature: 'refusals-of-reads',
    brings: ['{posts,pages,media,post-revisions,page-revisions,oembed}.{list,read,embed,proxy}/**/enforced'],
  },
  {
    feature: 'site-members',
    brings: [
      'index/{name,description,url,home,gmt_offset,timezone_string,page_for_posts,page_on_front,show_on_front,authentication}/**',
    ],
  },
  { feature: 'namespace-content', brings: ['namespaces/cms/v2/**', 'cms.root/**'] },
  { feature: 'namespace-oembed', brings: ['namespaces/oembed/1.0/**', 'oembed.root/**'] },
  {
    feature: 'namespace-abilities',
    brings: ['{namespaces,routes}/cms-abilities/v1/**', 'abilities.root/**'],
  },
  {
    feature: 'namespace-editor',
    brings: ['{namespaces,routes}/cms-block-editor/v1/**', 'block-editor.root/**'],
  },
  {
    feature: 'namespace-health',
    brings: ['{namespaces,routes}/cms-site-health/v1/**', 'site-health.root/**'],
  },
  { feature: 'posts.list', brings: ['posts.list/{method,answers}/**'] },
  { feature: 'pages.list', brings: ['pages.list/{method,answers}/**'] },
  { feature: 'media.list', brings: ['media.list/{method,answers}/**'] },
  { feature: 'posts.read', brings: ['posts.read/{method,answers}/**'] },
  { feature: 'pages.read', brings: ['pages.read/{method,answers}/**'] },
  { feature: 'media.read', brings: ['media.read/{method,answers}/**'] },
  { feature: 'paging', brings: ['{posts,pages,media}.list/{page,per_page,offset}/**'] },
  { feature: 'ordering', brings: ['{posts,pages,media}.list/{order,orderby}/**'] },
  {
    feature: 'contexts',
    brings: [
      '{posts,pages,media}.{list,read}/context/**',
      '{post,page}-{revisions,autosaves}.{list,read}/context/**',
      '*/contexts/**',
    ],
  },
  { feature: 'id-filters', brings: ['{posts,pages,media}.list/{include,exclude}/**'] },
  { feature: 'search', brings: ['{posts,pages,media}.list/{search,search_columns,search_semantics}/**'] },
  {
    feature: 'date-filters',
    brings: ['{posts,pages,media}.list/{after,before,modified_after,modified_before}/**'],
  },
  { feature: 'author-filters', brings: ['{posts,pages,media}.list/{author,author_exclude}/**'] },
  { feature: 'slug-filter', brings: ['{posts,pages,media}.list/slug/**'] },
  { feature: 'status-filter', brings: ['{posts,pages,media}.list/status/**'] },
  {
    feature: 'term-filters',
    brings: ['posts.list/{tax_relation,categories,categories_exclude,tags,tags_exclude}/**'],
  },
  { feature: 'sticky-filter', brings: ['posts.list/{sticky,ignore_sticky}/**'] },
  { feature: 'format-filter', brings: ['posts.list/format/**'] },
  { feature: 'parent-filters', brings: ['{pages,media}.list/{parent,parent_exclude}/**'] },
  { feature: 'menu-order-filter', brings: ['pages.list/menu_order/**'] },
  { feature: 'type-filters', brings: ['media.list/{media_type,mime_type}/**', 'media/list/**'] },
  { feature: 'excerpts', brings: ['{posts,pages}.read/excerpt_length/**'] },
  { feature: 'passwords', brings: ['{posts,pages}.read/password/**', '*/password/**', 'protected/**'] },
  { feature: 'oembed', brings: ['oembed.{embed,proxy}/**', 'routes/oembed/**'] },
  { feature: 'posts.create', brings: ['posts.create/method/**', 'posts.create/record'] },
  { feature: 'posts.update', brings: ['posts.update/{method,changes,alone}/**', 'posts.update/own-record'] },
  {
    feature: 'posts.delete',
    brings: ['posts.delete/method/**', 'posts.delete/own-record', 'states/posts/force'],
  },
  { feature: 'pages.create', brings: ['pages.create/method/**', 'pages.create/record'] },
  { feature: 'pages.update', brings: ['pages.update/{method,changes,alone}/**', 'pages.update/own-record'] },
  {
    feature: 'pages.delete',
    brings: ['pages.delete/method/**', 'pages.delete/own-record', 'states/pages/force'],
  },
  { feature: 'media.create', brings: ['media.create/method/**', 'media.create/record'] },
  { feature: 'media.update', brings: ['media.update/{method,changes,alone}/**', 'media.update/own-record'] },
  {
    feature: 'media.delete',
    brings: ['media.delete/method/**', 'media.delete/own-record', 'states/media/force'],
  },
  { feature: 'trash', brings: ['{posts,pages,media}.delete/force/**', 'states/*/trash/**'] },
  { feature: 'refusals-of-writes', brings: ['**/enforced', 'batch/types/**', 'batch/cap'] },
  { feature: 'unique-slugs', brings: ['slugs/**'] },
  { feature: 'text-fields', brings: ['*/{content,excerpt}/**'] },
  { feature: 'date-fields', brings: ['*/{date,date_gmt}/**'] },
  { feature: 'small-fields', brings: ['*/{comment_status,ping_status,template}/**'] },
  { feature: 'post-fields', brings: ['*/{format,sticky}/**'] },
  { feature: 'terms', brings: ['*/{categories,tags}/**'] },
  { feature: 'page-fields', brings: ['*/{parent,menu_order}/**'] },
  { feature: 'media-fields', brings: ['*/{alt_text,caption,description,post}/**'] },
  { feature: 'meta', brings: ['*/meta/**'] },
  { feature: 'media.post-process', brings: ['media.post-process/**', 'media/post-process'] },
  { feature: 'media.edit', brings: ['media.edit/**', 'media/{flip,edit-without}/**'] },
  { feature: 'revisions', brings: ['{post,page}-revisions.*/**', 'revisions/**'] },
  { feature: 'autosaves', brings: ['{post,page}-autosaves.*/**', 'autosaves/**'] },
  { feature: 'batch', brings: ['batch.run/**', 'batch/**', 'routes/batch/**', '*/batch-mark'] },
  { feature: 'batch-validation', brings: ['batch/require-all-validate'] },
  // Members that the contract does not state: an author who has read what the checks need shows them.
  {
    feature: 'modified',
    brings: ['{posts,pages,media}.list/{modified_after,modified_before}/filters'],
  },
  // The index of the finished site, before the site: what is not there yet answers 501.
  { feature: 'whole-index', brings: [] },
];

const NAMES = FEATURES.map(({ feature }) => feature);

const READING: readonly string[] = NAMES.slice(0, NAMES.indexOf('posts.create'));

/** What the author has after a week, a month and half a year. */
export const STAGES: Readonly<Record<string, readonly string[]>> = {
  week: ['whole-index', 'posts.list'],
  month: ['whole-index', 'modified', ...READING, 'revisions', 'autosaves'],
  'half-year': NAMES,
};

/**
 * The features of a list of names, where a stage stands for its own.
 * @throws Error for a name that is none
 */
export function featuresOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      const stage = STAGES[name];
      if (stage !== undefined) return stage;
      if (NAMES.includes(name)) return [name];
      throw new Error(`${name} is no feature and no stage: ${[...Object.keys(STAGES), ...NAMES].join(', ')}`);
    }),
  );
}
