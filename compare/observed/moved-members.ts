import type { AnswerNotes } from '../../client/observed/document.ts';
import { type Difference, differing, FEW, isInside, outermost, type Pair } from './difference.ts';

/** Records whose members are inside one new member now, such as `data`, or one of its own. */
export function wrappedDifference({ was, is }: Pair<AnswerNotes>): Difference | undefined {
  const outerOf = ({ members = {} }: AnswerNotes): string[] => [
    ...new Set(Object.keys(members).map(outermost)),
  ];
  const [then, now] = [outerOf(was), outerOf(is)];
  const gone = then.filter((name) => !now.includes(name));
  const paths = Object.keys(is.members ?? {});
  const wrapper = now.find((name) => {
    const inside = paths.filter((path) => isInside(path, name));
    const found = gone.filter((one) => inside.some((path) => path.endsWith(`.${one}`)));
    return !then.includes(name) && found.length >= FEW && found.length * 2 >= then.length;
  });
  if (wrapper === undefined) return undefined;
  return differing('answer-form', 'a record', true, {
    before: 'an object',
    after: `inside ${wrapper}`,
    isRoot: true,
  });
}
