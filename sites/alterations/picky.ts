import { invalidParameters } from '../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../reference/json.ts';
import { Refusal } from '../reference/request.ts';
import { fileAddress, permalink } from '../reference/show-record.ts';
import type { Alter, Call, Site } from '../reference/site.ts';
import { together } from './alteration.ts';
import { handling, reading } from './handling.ts';
import { REPAIRED } from './mutants/enforcement-mutants.ts';

/** Whether a site has what a value names; without a site, whether any site could have it. */
type Kind = (value: Json, site?: Site) => boolean;

function oneOf(...words: readonly string[]): Kind {
  return (value) => words.includes(String(value));
}

function shaped(pattern: RegExp): Kind {
  return (value) => pattern.test(String(value));
}

/** The kinds of values, by the words that the rules use. */
type KindName =
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
  | 'front page'
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
const KINDS: Readonly<Record<KindName, Kind>> = {
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
  'front page': (value, site) => site === undefined || value === `${site.url}/`,
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

/** When a rule is kept: while arguments are validated, as a matter of permission, or after it, of meaning. */
type Stage = 'validation' | 'permission' | 'meaning';

/** What the plugins of a site demand of one argument beyond what they declare. */
interface PickyRule {
  operation: string;
  parameter: string;
  kind: KindName;
  stage: Stage;
}

function rules(stage: Stage, operation: string, kinds: Record<string, KindName>): PickyRule[] {
  return Object.entries(kinds).map(([parameter, kind]) => ({ operation, parameter, kind, stage }));
}

const TOKENS = { user_id: 'user' } as const;
const PLANNER = { post_type: 'content type', language: 'language' } as const;
const SCORES = { contentType: 'content type', taxonomy: 'taxonomy or none' } as const;

/** The rules, as current plugins of this kind have them: names of content types, addresses and ids that exist, codes. */
const RULES: readonly PickyRule[] = [
  ...rules('meaning', 'seo.file-size', { url: 'image' }),
  ...rules('meaning', 'seo.ai-generator.callback', TOKENS),
  ...rules('meaning', 'seo.ai-generator.refresh-callback', TOKENS),
  ...rules('validation', 'seo.ai-generator.get-suggestions', { language: 'language', platform: 'platform' }),
  ...rules('permission', 'seo.ai-content-planner.get-suggestions', PLANNER),
  ...rules('validation', 'seo.ai-content-planner.get-outline', PLANNER),
  ...rules('validation', 'seo.bulk-editor-posts.list', { content_type: 'content type' }),
  ...rules('validation', 'seo.bulk-editor.update-search', { items: 'something in it' }),
  ...rules('meaning', 'seo.bulk-editor.update-search', { items: 'updates of records' }),
  ...rules('meaning', 'seo.bulk-editor.update-social', { items: 'updates of records' }),
  ...rules('validation', 'seo.new-content-type-visibility.dismiss-post-type', {
    postTypeName: 'content type',
  }),
  ...rules('validation', 'seo.new-content-type-visibility.dismiss-taxonomy', { taxonomyName: 'taxonomy' }),
  ...rules('meaning', 'seo.readability-scores', SCORES),
  ...rules('meaning', 'seo.readability-scores', { term: 'term' }),
  ...rules('meaning', 'seo.seo-scores', SCORES),
  ...rules('meaning', 'seo.seo-scores', { term: 'term' }),
  ...rules('meaning', 'seo.available-posts.list', { postType: 'content type' }),
  ...rules('meaning', 'seo.alerts.dismiss', { key: 'alert key' }),
  ...rules('meaning', 'seo.configuration.site-representation', {
    company_or_person_user_id: 'user',
    company_logo_id: 'image id',
    person_logo_id: 'image id',
    company_logo: 'image',
    person_logo: 'image',
  }),
  ...rules('meaning', 'seo.configuration.check-capability', { user_id: 'user' }),
  ...rules('meaning', 'seo.configuration.save-state', { finishedSteps: 'something in it' }),
  ...rules('meaning', 'seo.integrations.set-active', { integration: 'integration' }),
  ...rules('meaning', 'seo.get-head', { url: 'front page' }),
  ...rules('meaning', 'seo.keywordtool.authenticate', { code: 'code' }),
  ...rules('validation', 'seo.keywordtool.country-code', { country_code: 'country' }),
  ...rules('validation', 'seo.keywordtool.related-keyphrases', { country_code: 'country' }),
  ...rules('meaning', 'seo.ranktracker.authenticate', { code: 'code', websiteId: 'website id' }),
  ...rules('meaning', 'seo.ranktracker.keyphrases-track', { keyphrases: 'something in it' }),
  ...rules('meaning', 'seo.ranktracker.keyphrases', { permalink: 'address', startAt: 'date' }),
  ...rules('meaning', 'seo.complete-task', { options: 'task of options' }),
  ...rules('validation', 'builder-one.top-bar.notifications', { app_version: 'version' }),
  ...rules('validation', 'builder-one.top-bar.feedback', { countryCode: 'country' }),
  ...rules('meaning', 'builder-documents.media-import', { id: 'record' }),
  ...rules('meaning', 'builder.post.list', { included_types: 'content types' }),
  ...rules('meaning', 'builder.favorites.add', { id: 'favorites type' }),
  ...rules('meaning', 'builder.kit-elements-defaults.update', {
    type: 'element type',
    settings: 'something in it',
  }),
  ...rules('meaning', 'builder.kit-elements-defaults.delete', { type: 'element type' }),
  ...rules('meaning', 'builder.site-navigation.recent-posts', { post__not_in: 'content type ids' }),
  ...rules('meaning', 'builder.site-navigation.add-new-post', { post_type: 'content type' }),
  ...rules('validation', 'builder.css-to-atomic', { blocks: 'something in it' }),
  ...rules('meaning', 'builder.global-classes.post', { post_id: 'record' }),
];

/** Arguments that these operations do not go without, although nothing declares that. */
const COMPANIONS: Readonly<Record<string, readonly { when?: [string, string]; needs: string }[]>> = {
  'seo.new-content-type-visibility.dismiss-post-type': [{ needs: 'postTypeName' }],
  'seo.new-content-type-visibility.dismiss-taxonomy': [{ needs: 'taxonomyName' }],
  'seo.configuration.site-representation': [
    { when: ['company_or_person', 'person'], needs: 'company_or_person_user_id' },
    { when: ['company_or_person', 'company'], needs: 'company_name' },
  ],
  'posts.list': [{ when: ['search_semantics', 'exact'], needs: 'search' }],
};

/** Members that each item of these lists has one of at least: the refusal says so, and nothing else does. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'seo.bulk-editor.update-search': ['seo_title', 'meta_description'],
  'seo.bulk-editor.update-social': ['social_title', 'social_description'],
};

/** What is set to a value already, as far as it was set here, is not set to it again. */
const TOGGLE = 'seo.videohost-embed-permission.update';
const toggled = new WeakMap<Site, Json>();

/** Routes of plugins that anybody may call. */
const OPEN: ReadonlySet<string> = new Set(['seo.get-head', 'posts.list']);

/** Plugins take only what names something of the site: content types, users, addresses, ids, and codes that its owner knows. */
export const picky: Alter = together(
  handling([...RULES.map(({ operation }) => operation), ...Object.keys(COMPANIONS), TOGGLE], (call, next) => {
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
  for (const { when, needs } of COMPANIONS[operation.id] ?? []) {
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

/** The first argument that breaks a rule of an operation; what is left out, or was made of something invalid, breaks none. */
function brokenRule(id: string, stage: string, args: JsonObject, site?: Site): string | undefined {
  return RULES.find(({ operation, parameter, kind, stage: own }) => {
    const value = args[parameter];
    if (operation !== id || own !== stage || value === undefined || value === null || value === REPAIRED)
      return false;
    return !KINDS[kind](value, site);
  })?.parameter;
}
