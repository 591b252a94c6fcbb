import type { Difference } from '../../engine/difference.ts';
import { show } from '../../engine/show.ts';
import { misfitOf, publishedSchema, typeWords } from '../../specs/shapes.ts';
import type { Descriptor } from './descriptor.ts';

const KEYWORDS = publishedSchema('parameter.schema.json').properties ?? {};

/** What is wrong with the shape of a keyword that a target declares (§1): undefined where it is as stated, or says nothing. */
export function judgeKeywordShape(kind: string, declared: Descriptor): Difference | undefined {
  const shape = KEYWORDS[kind];
  const observed = declared.keyword(kind) ?? undefined;
  if (shape === undefined || observed === undefined || misfitOf(shape, observed) === undefined) {
    return undefined;
  }
  const expected = typeWords(shape);
  return { message: `declares a ${kind} that is no ${expected}`, expected, observed: show(observed) };
}
