import { answer } from './answer.ts';
import { indexDocument, namespaceDocument } from './index-document.ts';
import { emptyObjectsAsArrays, isObject, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';
import type { Handler } from './site.ts';

/** Answers the index (§1). */
export const readIndex: Handler = ({ site, args }) => {
  const texts = { name: site.title, description: site.tagline, url: site.url };
  const document = indexDocument(site.contract, texts);
  site.behaviour.declare(document);
  return answer(inContext(args, emptyObjectsAsArrays(document)));
};

/** Answers the root of a namespace (§4.1), or of the one that the argument `namespace` names instead. */
export const readNamespace: Handler = ({ site, args }) => {
  const namespace = String(args.namespace);
  if (!site.contract.namespaces.includes(namespace)) {
    throw new Refusal('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
  }
  return answer(inContext(args, emptyObjectsAsArrays(namespaceDocument(site.contract, namespace, site.url))));
};

/** Real software says more in the context `help`. */
function inContext(args: JsonObject, document: Json): Json {
  return args.context === 'help' && isObject(document) ? { ...document, help: true } : document;
}
