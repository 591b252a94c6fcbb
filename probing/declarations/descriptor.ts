import { asObject, isObject, type JsonObject, member, numberedList } from '../../client/json.ts';
import { firstViolation, publishedSchema, withoutContents } from '../../specs/shapes.ts';

/** Other words for types. */
export const SYNONYMS: Readonly<Record<string, string>> = { bool: 'boolean', int: 'integer' };
const DESCRIPTION = withoutContents(publishedSchema('parameter.schema.json'));
const VARIANTS = ['oneOf', 'anyOf'] as const;

/** A parameter as the target declares it: a keyword may stand in the descriptor or in one of its variants (R18). */
export class Descriptor {
  readonly #own: JsonObject;
  readonly #variants: readonly JsonObject[];
  readonly #sources: readonly JsonObject[];

  constructor(own: JsonObject) {
    this.#own = own;
    this.#variants = VARIANTS.flatMap((name) => {
      const variants = member(own, name);
      return Array.isArray(variants) ? variants.filter(isObject) : [];
    });
    this.#sources = [own, ...this.#variants];
  }

  /** The value of a keyword, from the descriptor itself or otherwise from the first variant that has it. */
  keyword(name: string): unknown {
    return this.#sources.map((source) => member(source, name)).find((value) => value !== undefined);
  }

  /** The value of a keyword that holds a list: of the descriptor, or otherwise of all its variants. */
  listed(name: string): readonly unknown[] | undefined {
    const own = member(this.#own, name);
    if (Array.isArray(own)) return own;
    const numbered = numberedList(own);
    if (numbered !== undefined) return numbered;
    const others = this.#variants.map((variant) => member(variant, name)).filter(Array.isArray);
    return others.length === 0 ? undefined : others.flat();
  }

  /** Empty when it declares none. */
  types(): readonly string[] {
    const sources = member(this.#own, 'type') === undefined ? this.#variants : [this.#own];
    const words = sources.flatMap((source): unknown[] => [member(source, 'type')].flat());
    const known = words.filter((word) => typeof word === 'string').map((word) => SYNONYMS[word] ?? word);
    return [...new Set(known)].sort();
  }

  items(): Descriptor | undefined {
    return readDescriptor(this.keyword('items'));
  }

  property(name: string): Descriptor | undefined {
    const declared = this.#sources.map((source) => member(member(source, 'properties'), name));
    return readDescriptor(declared.find((found) => found !== undefined));
  }

  members(): readonly string[] {
    const names = this.#sources.flatMap((source) =>
      Object.keys(asObject(member(source, 'properties')) ?? {}),
    );
    return [...new Set(names)];
  }

  /** The declared variants; the descriptor itself if it has none. */
  variants(): readonly Descriptor[] {
    const all = this.#variants.length === 0 ? [this.#own] : this.#variants;
    return all.flatMap((one) => readDescriptor(one) ?? []);
  }

  additional(): Descriptor | undefined {
    return readDescriptor(this.keyword('additionalProperties'));
  }

  /** Whether a member is required, in either spelling (R28). */
  requires(name: string): boolean {
    if (this.listed('required')?.includes(name) === true) return true;
    return this.property(name)?.keyword('required') === true;
  }
}

/** Reads a descriptor; undefined if the value is not one. */
export function readDescriptor(raw: unknown): Descriptor | undefined {
  return firstViolation(DESCRIPTION, raw) === undefined ? new Descriptor(asObject(raw) ?? {}) : undefined;
}
