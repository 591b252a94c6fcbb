import {
  BATCH,
  CONTEXT,
  EDIT,
  EMBED,
  FIELDS,
  FORCE,
  fieldGroups,
  type Groups,
  ID,
  listGroups,
  PARENT,
  POST_PROCESS,
  PROXY,
  REVISION_LIST,
  readGroups,
} from './declarations.ts';
import { editPicture, postProcess } from './media.ts';
import { embed } from './oembed.ts';
import type { Parameters } from './parameter.ts';
import { listItems, readItem } from './reads.ts';
import { createAutosave, deleteRevision, listAutosaves, listRevisions, readChild } from './revisions.ts';
import type { Call, Reply, Site } from './site.ts';
import type { Kind } from './store.ts';
import { createItem, deleteItem, updateItem } from './writes.ts';

/** What one or several methods of a route do. */
export interface Endpoint {
  /** The feature that brings it. */
  readonly feature: string;
  readonly methods: readonly string[];
  /** Path parameters stand in braces. */
  readonly route: string;
  readonly namespace: string;
  /** Its parameters from the first day on. */
  readonly own: Parameters;
  /** Further parameters by the feature that brings them. */
  readonly groups: Groups;
  readonly batch: boolean;
  run(call: Call): Reply;
}

/** The namespaces of the site and the features that bring them. */
export const NAMESPACES: Readonly<Record<string, string>> = {
  'namespace-abilities': 'cms-abilities/v1',
  'namespace-editor': 'cms-block-editor/v1',
  'namespace-health': 'cms-site-health/v1',
  'namespace-content': 'cms/v2',
  'namespace-oembed': 'oembed/1.0',
};

function recordEndpoints(kind: Kind): Endpoint[] {
  const route = `/cms/v2/${kind}`;
  const one = `${route}/{id}`;
  const at = { namespace: 'cms/v2', batch: kind !== 'media' };
  return [
    {
      ...at,
      feature: `${kind}.list`,
      methods: ['GET'],
      route,
      own: {},
      groups: listGroups(kind),
      run: (call) => listItems(kind, call),
    },
    {
      ...at,
      feature: `${kind}.create`,
      methods: ['POST'],
      route,
      own: FIELDS,
      groups: fieldGroups(kind),
      run: (call) => createItem(kind, call),
    },
    {
      ...at,
      feature: `${kind}.read`,
      methods: ['GET'],
      route: one,
      own: ID,
      groups: readGroups(kind),
      run: (call) => readItem(kind, call),
    },
    {
      ...at,
      feature: `${kind}.update`,
      methods: ['PATCH', 'PUT', 'POST'],
      route: one,
      own: { ...ID, ...FIELDS },
      groups: fieldGroups(kind),
      run: (call) => updateItem(kind, call),
    },
    {
      ...at,
      feature: `${kind}.delete`,
      methods: ['DELETE'],
      route: one,
      own: ID,
      groups: { trash: FORCE },
      run: (call) => deleteItem(kind, call),
    },
  ];
}

function childEndpoints(kind: 'posts' | 'pages'): Endpoint[] {
  const route = `/cms/v2/${kind}`;
  const at = { namespace: 'cms/v2', batch: false };
  const own = { ...PARENT, ...ID };
  const groups = { contexts: CONTEXT };
  const revision = `${route}/{parent}/revisions/{id}`;
  return [
    {
      ...at,
      feature: 'revisions',
      methods: ['GET'],
      route: `${route}/{parent}/revisions`,
      own: REVISION_LIST,
      groups: {},
      run: (call) => listRevisions(kind, call),
    },
    {
      ...at,
      feature: 'revisions',
      methods: ['GET'],
      route: revision,
      own,
      groups,
      run: (call) => readChild(kind, 'revisions', call),
    },
    {
      ...at,
      feature: 'revisions',
      methods: ['DELETE'],
      route: revision,
      own: { ...own, ...FORCE },
      groups: {},
      run: (call) => deleteRevision(kind, call),
    },
    {
      ...at,
      feature: 'autosaves',
      methods: ['GET'],
      route: `${route}/{id}/autosaves`,
      own: PARENT,
      groups,
      run: (call) => listAutosaves(kind, call),
    },
    {
      ...at,
      feature: 'autosaves',
      methods: ['POST'],
      route: `${route}/{id}/autosaves`,
      own: { ...FIELDS, ...PARENT },
      groups: fieldGroups(kind),
      run: (call) => createAutosave(kind, call),
    },
    {
      ...at,
      feature: 'autosaves',
      methods: ['GET'],
      route: `${route}/{parent}/autosaves/{id}`,
      own,
      groups,
      run: (call) => readChild(kind, 'autosaves', call),
    },
  ];
}

function mediaEndpoints(): Endpoint[] {
  const at = { namespace: 'cms/v2', batch: false, methods: ['POST'] };
  return [
    {
      ...at,
      feature: 'media.post-process',
      route: '/cms/v2/media/{id}/post-process',
      own: POST_PROCESS,
      groups: {},
      run: postProcess,
    },
    {
      ...at,
      feature: 'media.edit',
      route: '/cms/v2/media/{id}/edit',
      own: EDIT,
      groups: {},
      run: editPicture,
    },
  ];
}

/** Everything but the index, the roots and the batch route, which need the others. */
const ENDPOINTS: readonly Endpoint[] = [
  ...mediaEndpoints(),
  ...recordEndpoints('media'),
  ...childEndpoints('pages'),
  ...recordEndpoints('pages'),
  ...childEndpoints('posts'),
  ...recordEndpoints('posts'),
  ...[EMBED, PROXY].map(
    (parameters): Endpoint => ({
      feature: 'oembed',
      methods: ['GET'],
      route: parameters === EMBED ? '/oembed/1.0/embed' : '/oembed/1.0/proxy',
      namespace: 'oembed/1.0',
      batch: false,
      own: parameters,
      groups: {},
      run: embed,
    }),
  ),
];

/** The endpoint that carries several others out. */
export function batchEndpoint(run: Endpoint['run']): Endpoint {
  return {
    feature: 'batch',
    methods: ['POST'],
    route: '/batch/v1',
    namespace: '',
    batch: false,
    own: BATCH,
    groups: {},
    run,
  };
}

type Stage = Pick<Site, 'features'>;

/** Whether the index shows everything already, and what is not there yet answers that it is not. */
export function isWholeIndex({ features }: Stage): boolean {
  return features.has('whole-index');
}

/** Whether an endpoint does what it is for at this stage of the site. */
export function isServed({ feature }: Endpoint, { features }: Stage): boolean {
  return features.has(feature);
}

/** What the index of a site shows at its stage. */
export function shownBy(site: Stage): Endpoint[] {
  const namespaces = new Set(namespacesOf(site));
  return ENDPOINTS.filter(
    (endpoint) => namespaces.has(endpoint.namespace) && (isWholeIndex(site) || isServed(endpoint, site)),
  );
}

/** The namespaces that are served, in no order that means anything. */
export function namespacesOf(site: Stage): string[] {
  return Object.entries(NAMESPACES).flatMap(([feature, name]) =>
    isWholeIndex(site) || site.features.has(feature) ? [name] : [],
  );
}

/** The parameters that the index shows of an endpoint. */
export function declaredOf(endpoint: Endpoint, site: Stage): Parameters {
  if (isWholeIndex(site)) return Object.assign({}, endpoint.own, ...Object.values(endpoint.groups));
  return parametersOf(endpoint, site);
}

/** The parameters of an endpoint that the site heeds at its stage. */
export function parametersOf({ own, groups }: Endpoint, { features }: Stage): Parameters {
  const taken = Object.entries(groups).filter(([feature]) => features.has(feature));
  return Object.assign({}, own, ...taken.map(([, parameters]) => parameters));
}
