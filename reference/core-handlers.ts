import { answer } from './answer.ts';
import type { Handler } from './handler.ts';
import { indexDocument, namespaceDocument } from './index-document.ts';
import { emptyObjectsAsArrays } from './json.ts';
import { Refusal } from './refusal.ts';

/** Answers the index (§1). */
export const readIndex: Handler = ({ site }) => {
  const texts = { name: site.title, description: site.tagline, url: site.url };
  return answer(emptyObjectsAsArrays(indexDocument(site.contract, texts)));
};

/** Answers the root of a namespace (§4.1), or of the one that the argument `namespace` names instead. */
export const readNamespace: Handler = ({ site, args }) => {
  const namespace = String(args.namespace);
  if (!site.contract.namespaces.includes(namespace)) {
    throw new Refusal('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
  }
  return answer(emptyObjectsAsArrays(namespaceDocument(site.contract, namespace, site.url)));
};
