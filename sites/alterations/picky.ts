import { invalidParameters } from '../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../reference/json.ts';
import { Refusal } from '../reference/request.ts';
import { fileAddress, permalink } from '../reference/show-record.ts';
import type { Alter, Call, Site } from '../reference/site.ts';
import { together } from './alteration.ts';
import { handling, reading } from './handling.ts';

/** Whether a site has what a value names; without a site, whether any site could have it. */
type Kind = (value: Json, site?: Site) => boolean;

function oneOf(...words: readonly string[]): Kind {
  return (value) => words.includes(String(value));
}

function shaped(pattern: RegExp): Kind {
  return (value) => pattern.test(String(value));
}

const contentType = oneOf('post', 'page');
const record: Kind = (value, site) => site === undefined || site.store.get(Number(value)) !== undefined;

/** The meanings that plugins give to values, by the word of their rules. */
const KINDS = {
  'content type': contentType,
  taxonomy: oneOf('category', 'post_tag'),
  'taxonomy or none': oneOf('', 'category', 'post_tag'),
  language: shaped(/^[a-z]{2}(_[A-Z]{2})?$/),
  country: shaped(/^[a-z]{2}$/i),
  version: shaped(/^\d+\.\d+/),
  date: shaped(/^\d{4}-\d\d-\d\d/),
  user: (value, site) => site?.accounts.some(({ id }) => id === Number(value)) !== false,
  record,
  term: (value, site) => site?.store.terms.some(({ id }) => id === Number(value)) !== false,
  'front page': (value, site) => site === undefined || value === `${site.url}/`,
  address: (value, site) => site === undefined || addressesOf(site).includes(String(value)),
  image: (value, site) =>
    site?.store.all().some((one) => one.file && fileAddress(site, one) === value) !== false,
  'image id': (value, site) => site === undefined || site.store.get(Number(value))?.file !== undefined,
  'content types': (value, site) => each(value, (one) => contentType(one, site)),
  'content type ids': (value, site) => each(value, (one) => record(one, site)),
  'something in it': (value) =>
    Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0,
  'updates of records': (value, site) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isObject(one) && record(Number(one.id), site)),
  platform: oneOf('Google', 'Facebook', 'Twitter'),
  code: oneOf('the-code-of-the-owner'),
  'website id': oneOf('4711'),
  'alert key': oneOf('first-time-notice'),
  integration: oneOf('analytics'),
  'task of options': (value) => isObject(value) && value.task === 'write-a-post',
  'element type': oneOf('heading'),
  'favorites type': oneOf('widgets'),
} satisfies Readonly<Record<string, Kind>>;

type KindName = keyof typeof KINDS;

function each(value: Json, holds: (one: Json) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function addressesOf(site: Site): string[] {
  const published = site.store.all().filter(({ file }) => file === undefined);
  return [site.url, `${site.url}/`, ...published.map((one) => permalink(site, one))];
}

/** When a rule is applied: during validation, as a permission, or afterwards as a matter of meaning. */
type Stage = 'validation' | 'permission' | 'meaning';

type StagedRules = Partial<Readonly<Record<Stage, Readonly<Record<string, KindName>>>>>;

const TOKENS = { user_id: 'user' } as const;
const PLANNER = { post_type: 'content type', language: 'language' } as const;
const SCORES = { contentType: 'content type', taxonomy: 'taxonomy or none' } as const;

/** The rules by operation, as current plugins of this kind have them: names of content types, addresses and ids that exist, codes. */
const RULES: Readonly<Record<string, StagedRules>> = {
  'seo.file-size': { meaning: { url: 'image' } },
  'seo.ai-generator.callback': { meaning: TOKENS },
  'seo.ai-generator.refresh-callback': { meaning: TOKENS },
  'seo.ai-generator.get-suggestions': { validation: { language: 'language', platform: 'platform' } },
  'seo.ai-content-planner.get-suggestions': { permission: PLANNER },
  'seo.ai-content-planner.get-outline': { validation: PLANNER },
  'seo.bulk-editor-posts.list': { validation: { content_type: 'content type' } },
  'seo.bulk-editor.update-search': {
    validation: { items: 'something in it' },
    meaning: { items: 'updates of records' },
  },
  'seo.bulk-editor.update-social': { meaning: { items: 'updates of records' } },
  'seo.new-content-type-visibility.dismiss-post-type': { validation: { postTypeName: 'content type' } },
  'seo.new-content-type-visibility.dismiss-taxonomy': { validation: { taxonomyName: 'taxonomy' } },
  'seo.readability-scores': { meaning: { ...SCORES, term: 'term' } },
  'seo.seo-scores': { meaning: { ...SCORES, term: 'term' } },
  'seo.available-posts.list': { meaning: { postType: 'content type' } },
  'seo.alerts.dismiss': { meaning: { key: 'alert key' } },
  'seo.configuration.site-representation': {
    meaning: {
      company_or_person_user_id: 'user',
      company_logo_id: 'image id',
      person_logo_id: 'image id',
      company_logo: 'image',
      person_logo: 'image',
    },
  },
  'seo.configuration.check-capability': { meaning: { user_id: 'user' } },
  'seo.configuration.save-state': { meaning: { finishedSteps: 'something in it' } },
  'seo.integrations.set-active': { meaning: { integration: 'integration' } },
  'seo.get-head': { meaning: { url: 'front page' } },
  'seo.keywordtool.authenticate': { meaning: { code: 'code' } },
  'seo.keywordtool.country-code': { validation: { country_code: 'country' } },
  'seo.keywordtool.related-keyphrases': { validation: { country_code: 'country' } },
  'seo.ranktracker.authenticate': { meaning: { code: 'code', websiteId: 'website id' } },
  'seo.ranktracker.keyphrases-track': { meaning: { keyphrases: 'something in it' } },
  'seo.ranktracker.keyphrases': { meaning: { permalink: 'address', startAt: 'date' } },
  'seo.complete-task': { meaning: { options: 'task of options' } },
  'builder-one.top-bar.notifications': { validation: { app_version: 'version' } },
  'builder-one.top-bar.feedback': { validation: { countryCode: 'country' } },
  'builder-documents.media-import': { meaning: { id: 'record' } },
  'builder.post.list': { meaning: { included_types: 'content types' } },
  'builder.favorites.add': { meaning: { id: 'favorites type' } },
  'builder.kit-elements-defaults.update': { meaning: { type: 'element type', settings: 'something in it' } },
  'builder.kit-elements-defaults.delete': { meaning: { type: 'element type' } },
  'builder.site-navigation.recent-posts': { meaning: { post__not_in: 'content type ids' } },
  'builder.site-navigation.add-new-post': { meaning: { post_type: 'content type' } },
  'builder.css-to-atomic': { validation: { blocks: 'something in it' } },
  'builder.global-classes.post': { meaning: { post_id: 'record' } },
};

/** Arguments that these operations require without declaring it. */
const REQUIRED: Readonly<Record<string, readonly { when?: [string, string]; needs: string }[]>> = {
  'seo.new-content-type-visibility.dismiss-post-type': [{ needs: 'postTypeName' }],
  'seo.new-content-type-visibility.dismiss-taxonomy': [{ needs: 'taxonomyName' }],
  'seo.configuration.site-representation': [
    { when: ['company_or_person', 'person'], needs: 'company_or_person_user_id' },
    { when: ['company_or_person', 'company'], needs: 'company_name' },
  ],
};

/** Members of which each item of these lists needs at least one; only the refusal says so. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'seo.bulk-editor.update-search': ['seo_title', 'meta_description'],
  'seo.bulk-editor.update-social': ['social_title', 'social_description'],
};

/** An operation that refuses to set the value that was already set here. */
const TOGGLE = 'seo.videohost-embed-permission.update';
const toggled = new WeakMap<Site, Json>();

/** Routes of plugins that anybody may call. */
const OPEN: ReadonlySet<string> = new Set(['seo.get-head']);

/** A site whose plugins only accept what exists on it: content types, users, addresses, ids, and codes of its owner. */
export const picky: Alter = together(
  handling([...Object.keys(RULES), ...Object.keys(REQUIRED), TOGGLE], (call, next) => {
    if (call.request.account !== undefined || OPEN.has(call.operation.id)) checkMeaning(call);
    return next(call);
  }),
  reading(
    () => true,
    (given, read, { operation }) => {
      const args = read(given);
      const wrong = brokenRule(operation.id, 'validation', args);
      if (wrong !== undefined) throw invalidParameters({ [wrong]: 'This site has no such thing.' });
      return args;
    },
  ),
);

function checkMeaning({ operation, args, site }: Call): void {
  if (brokenRule(operation.id, 'permission', args, site) !== undefined)
    throw new Refusal('forbidden', 'You may not do this with that.', 403);
  const wrong = brokenRule(operation.id, 'meaning', args, site);
  if (wrong !== undefined) throw new Refusal('unknown_thing', `This site does not have that ${wrong}.`, 400);
  checkItems(operation.id, args);
  if (operation.id === TOGGLE) {
    if ((toggled.get(site) ?? true) === args.value) throw new Refusal('unchanged', 'Nothing changes.', 400);
    toggled.set(site, args.value ?? true);
  }
  for (const { when, needs } of REQUIRED[operation.id] ?? []) {
    const concerned = when === undefined || String(args[when[0]]) === when[1];
    if (concerned && args[needs] === undefined) throw new Refusal('alone', `It needs ${needs}.`, 400);
  }
}

function checkItems(id: string, { items }: JsonObject): void {
  const members = MEMBERS[id];
  if (members === undefined || !Array.isArray(items)) return;
  const isComplete = (item: Json): boolean =>
    isObject(item) && members.some((one) => Object.hasOwn(item, one));
  if (!items.every(isComplete)) {
    throw new Refusal('no_fields', `Each item has at least a ${members.join(' or a ')}.`, 400);
  }
}

/** The first argument that violates a rule of an operation. Missing arguments violate none. */
function brokenRule(id: string, stage: Stage, args: JsonObject, site?: Site): string | undefined {
  return Object.entries(RULES[id]?.[stage] ?? {}).find(([parameter, kind]) => {
    const value = args[parameter];
    const isOfKind: Kind = KINDS[kind];
    return value !== undefined && value !== null && !isOfKind(value, site);
  })?.[0];
}
