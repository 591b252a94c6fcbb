import type { Difference } from '../../../engine/difference.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { list, show } from '../../../engine/show.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import type { Descriptor } from '../descriptor.ts';

/**
 * Compares stated variants of an object with the ones that a target declares, in `oneOf`, `anyOf` or by an enum of the
 * member that tells them apart (R44). Other variants are silent.
 * @returns `'undeclared'` when the target declares no variants at all
 */
export function compareVariants(
  expected: readonly Schema[],
  here: Descriptor,
): Difference | 'undeclared' | undefined {
  const declared = here.variants();
  for (const variant of expected) {
    const [telling, word] = tellingMember(variant);
    const words = declared.map((one) => wordsOf(one, telling));
    if (words.every((one) => one.length === 0)) return 'undeclared';
    const found = declared.filter((_, at) => words[at]?.some((one) => sameMeaning(one, word)) === true);
    if (found.length === 0) {
      return {
        message: `declares no variant with ${telling} ${show(word)}`,
        expected: show(word),
        observed: list(words.flat()),
      };
    }
    const wrong = found.map((one) => differingMember(variant, one)).find((one) => one !== undefined);
    if (wrong !== undefined) return { ...wrong, message: `the variant ${show(word)} ${wrong.message}` };
  }
  return undefined;
}

/** The member whose enum of one tells the variant, and that word. */
function tellingMember({ properties = {} }: Schema): [string, unknown] {
  const found = Object.entries(properties).find(([, schema]) => schema.enum?.length === 1);
  return found === undefined ? ['', undefined] : [found[0], found[1].enum?.[0]];
}

function wordsOf(variant: Descriptor, telling: string): readonly unknown[] {
  const declared = variant.property(telling);
  const single = declared?.keyword('const');
  return single === undefined ? (declared?.listed('enum') ?? []) : [single];
}

function differingMember(variant: Schema, declared: Descriptor): Difference | undefined {
  for (const [name, schema] of Object.entries(variant.properties ?? {})) {
    const observed = declared.property(name)?.types() ?? [];
    const expected = typesOf(schema);
    // A variant that leaves the type to the object around it says nothing else.
    if (observed.length === 0 || expected.every((type) => observed.includes(type))) continue;
    return {
      message: `declares ${name} as another type`,
      expected: list(expected),
      observed: list(observed),
    };
  }
  return undefined;
}
