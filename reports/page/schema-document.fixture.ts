import { join } from 'node:path';
import { isObject, type JsonObject, member } from '../../client/json.ts';
import { readJson } from '../../specs/validators.ts';

/** The worst texts of a target: markup, quotes, active addresses, hidden characters, and great length. */
const HOSTILE_TEXTS: readonly string[] = [
  '</script></style></title></code><script>window.owned = 1</script><img src=x onerror="window.owned = 1">',
  '"><a href="javascript:window.owned=1" onclick=\'window.owned = 1\' style="position:fixed">',
  'javascript:window.owned=1',
  '\'"`&lt;{{window.owned=1}}<!-- ]]> --><base href=//evil.example><meta http-equiv=refresh content=0;url=//evil.example>',
  '\u202egnp.exe\u0000\u0007\u001b[31m\ud800\u2028\ufeff',
  `${'x'.repeat(50_000)}<svg onload="window.owned = 1">`,
];

const SCHEMAS = join(import.meta.dirname, '../../specs/schemas');

/**
 * A document of a published schema with all members, hostile texts, and lists as long as there are hostile texts. A
 * member with several forms has each of them in turn.
 * @param name the file name of the schema
 */
export function hostileDocument(name: string, texts: readonly string[] = HOSTILE_TEXTS): unknown {
  const root = readJson(join(SCHEMAS, name));
  const deepest = 12;
  const make = (schema: unknown, turn: number, depth: number): unknown => {
    if (!isObject(schema) || depth > deepest) return texts[turn % texts.length];
    if (typeof schema.$ref === 'string') return make(resolve(root, schema.$ref), turn, depth + 1);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[turn % schema.enum.length];
    const forms = [schema.oneOf, schema.anyOf].find(Array.isArray);
    if (forms !== undefined)
      return make({ ...schema, ...forms[turn % forms.length], oneOf: undefined }, turn, depth + 1);
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    if (type === 'object' || isObject(schema.properties)) return makeObject(schema, turn, depth);
    if (type === 'array') {
      return texts.map((_text, at) => make(schema.items, turn + at, depth + 1));
    }
    if (type === 'integer' || type === 'number') return 7;
    if (type === 'boolean') return true;
    return texts[turn % texts.length];
  };
  const makeObject = (schema: JsonObject, turn: number, depth: number): JsonObject => {
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
    const known = properties.map(([key, value], at) => [key, make(value, turn + at, depth + 1)]);
    const others = isObject(schema.additionalProperties)
      ? texts.map((text, at) => [text, make(schema.additionalProperties, turn + at, depth + 1)])
      : [];
    return Object.fromEntries([...known, ...others]);
  };
  return make(root, 0, 0);
}

function resolve(root: unknown, reference: string): unknown {
  const [file = '', pointer = ''] = reference.split('#');
  const document = file === '' ? root : readJson(join(SCHEMAS, file));
  return pointer
    .split('/')
    .filter(Boolean)
    .reduce<unknown>((at, key) => member(at, key), document);
}
