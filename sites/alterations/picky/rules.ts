import type { KindName } from './kinds.ts';

/** When a rule is kept: while arguments are validated, before permission, or after it, as a matter of meaning. */
type Stage = 'validation' | 'meaning';

/** What the plugins of a site demand of one argument beyond what they declare. */
export interface PickyRule {
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
export const RULES: readonly PickyRule[] = [
  ...rules('meaning', 'seo.file-size', { url: 'image' }),
  ...rules('meaning', 'seo.ai-generator.callback', TOKENS),
  ...rules('meaning', 'seo.ai-generator.refresh-callback', TOKENS),
  ...rules('validation', 'seo.ai-generator.get-suggestions', { language: 'language', platform: 'platform' }),
  ...rules('validation', 'seo.ai-content-planner.get-suggestions', PLANNER),
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
  ...rules('meaning', 'seo.get-head', { url: 'address' }),
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
export const COMPANIONS: Readonly<Record<string, readonly { when?: [string, string]; needs: string }[]>> = {
  'seo.new-content-type-visibility.dismiss-post-type': [{ needs: 'postTypeName' }],
  'seo.new-content-type-visibility.dismiss-taxonomy': [{ needs: 'taxonomyName' }],
  'seo.configuration.site-representation': [
    { when: ['company_or_person', 'person'], needs: 'company_or_person_user_id' },
    { when: ['company_or_person', 'company'], needs: 'company_name' },
  ],
  'posts.list': [{ when: ['search_semantics', 'exact'], needs: 'search' }],
};
