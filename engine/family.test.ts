import { expect, it } from 'vitest';
import { type Check, check } from './check.ts';
import { familyMaker, wholeCheck } from './family.ts';

const MOST_HELD = 10_000;

function making(made: string[], count: number): (subject: string) => Check[] {
  return (subject) => {
    made.push(subject);
    return Array.from({ length: count }, (_, at) =>
      check({
        id: `${subject}/${at}`,
        kind: 'listed',
        title: `${subject} ${at}`,
        run: () => [],
      }),
    );
  };
}

it('makes the checks of a small site once, whatever is read of them', () => {
  const made: string[] = [];
  const familyOf = familyMaker();
  const checks = ['a', 'b'].flatMap((subject) => familyOf(subject, making(made, 3)));

  expect(checks.map(({ id, title, kind }) => [id, title, kind])[5]).toEqual(['b/2', 'b 2', 'listed']);
  expect(made).toEqual(['a', 'b']);
});

it('makes checks of a large site again if more is read than a plan needs', () => {
  const made: string[] = [];
  const familyOf = familyMaker();
  const checks = ['a', 'b'].flatMap((subject) => familyOf(subject, making(made, MOST_HELD)));

  expect(checks.every(({ id, effect, kind }) => id !== '' && effect === 'reads' && kind === 'listed')).toBe(
    true,
  );
  expect(made).toEqual(['a', 'b']);
  expect(checks[1]?.title).toBe('a 1');
  expect(made).toEqual(['a', 'b', 'a']);
});

it('makes a complete copy of a check', () => {
  const [one] = familyMaker()('a', making([], 1));

  expect(one && Object.keys(wholeCheck(one))).toEqual(
    expect.arrayContaining(['id', 'title', 'kind', 'section', 'basis', 'effect', 'run']),
  );
});
