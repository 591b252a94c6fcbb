import { asObject, isObject, member } from '../../client/json.ts';
import { firstViolation, outermost, publishedSchema } from '../../specs/shapes.ts';

/** Other words for types. */
export const SYNONYMS: Readonly<Record<string, string>> = { bool: 'boolean', int: 'integer' };
const DESCRIPTION = outermost(publishedSchema('parameter.schema.json'));
const VARIANTS = ['oneOf', 'anyOf'] as const;

/** A parameter as the target declares it: a keyword may stand in the descriptor or in one of its variants (R18). */
export interface Descriptor {
  /** The value of a keyword, from the descriptor itself or otherwise from the first variant that has it. */
  keyword(name: string): unknown;
  /** The value of a keyword that holds a list: of the descriptor, or otherwise of all its variants. */
  listed(name: string): readonly unknown[] | undefined;
  /** The types it allows, in one spelling; empty when it declares none. */
  types(): readonly string[];
  items(): Descriptor | undefined;
  property(name: string): Descriptor | undefined;
  /** The names of all members that it declares, its variants included. */
  members(): readonly string[];
  /** The declared variants; the descriptor itself if it has none. */
  variants(): readonly Descriptor[];
  /** The descriptor of all members not named, or undefined. */
  additional(): Descriptor | undefined;
  /** Whether a member is required, in either spelling (R28). */
  requires(name: string): boolean;
}

/** Reads a descriptor; undefined if the value is not one. */
export function readDescriptor(raw: unknown): Descriptor | undefined {
  if (firstViolation(DESCRIPTION, raw) !== undefined) return undefined;
  const own = asObject(raw) ?? {};
  const variants: unknown[] = VARIANTS.flatMap((name) => {
    const value = member(own, name);
    return Array.isArray(value) ? value.filter(isObject) : [];
  });
  const sources: readonly unknown[] = [own, ...variants];
  const keyword = (name: string): unknown =>
    sources.map((source) => member(source, name)).find((value) => value !== undefined);
  const listed = (name: string): readonly unknown[] | undefined => {
    const mine = member(own, name);
    if (Array.isArray(mine)) return mine;
    const theirs = variants.map((variant) => member(variant, name)).filter(Array.isArray);
    return theirs.length === 0 ? undefined : theirs.flat();
  };
  const nested = (name: string): Descriptor | undefined => readDescriptor(keyword(name));

  return {
    keyword,
    listed,
    types() {
      const raws = member(own, 'type') === undefined ? variants : [own];
      const words = raws.flatMap((source) => {
        const type = member(source, 'type');
        return Array.isArray(type) ? type : [type];
      });
      const known = words.filter((word) => typeof word === 'string').map((word) => SYNONYMS[word] ?? word);
      return [...new Set(known)].sort();
    },
    items: () => nested('items'),
    property(name) {
      for (const source of sources) {
        const found = member(member(source, 'properties'), name);
        if (found !== undefined) return readDescriptor(found);
      }
      return undefined;
    },
    members: () => [
      ...new Set(sources.flatMap((source) => Object.keys(asObject(member(source, 'properties')) ?? {}))),
    ],
    variants: () => (variants.length === 0 ? [own] : variants).flatMap((one) => readDescriptor(one) ?? []),
    additional: () => nested('additionalProperties'),
    requires(name) {
      if (listed('required')?.includes(name) === true) return true;
      return this.property(name)?.keyword('required') === true;
    },
  };
}
