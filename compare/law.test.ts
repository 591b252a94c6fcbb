import { describe, expect, it } from 'vitest';
import { CLASSES, classOfKind, KINDS, type Kind } from './law.ts';

/** A kind of each side without a class of its own. */
const RULED = { sent: 'constraint', received: 'default' } as const;

it.each([
  { effect: 'narrows', sent: 'breaking', received: 'compatible' },
  { effect: 'widens', sent: 'compatible', received: 'breaking' },
  { effect: 'incomparable', sent: 'breaking', received: 'breaking' },
  { effect: 'unknown', sent: 'unknown', received: 'unknown' },
  { effect: 'none', sent: 'compatible', received: 'compatible' },
] as const)(
  'the rule of comparisons makes what $effect $sent for requests, and $received for answers',
  ({ effect, ...by }) => {
    const { sent, received } = RULED;
    expect({ sent: classOfKind(sent, effect), received: classOfKind(received, effect) }).toEqual(by);
  },
);

describe('the exceptions', () => {
  const known = Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][];

  it.each(known)('alone make %s differ from the rule', (kind, { side, effect, class: found }) => {
    const effects =
      effect === undefined ? (['narrows', 'widens', 'incomparable', 'unknown', 'none'] as const) : [effect];

    for (const one of effects) expect(classOfKind(kind, one)).toBe(found ?? classOfKind(RULED[side], one));
  });

  const excepted = known.flatMap(([kind, row]) => (row.class === undefined ? [] : [{ kind, ...row }]));

  it.each(excepted)(
    'have a reason for $kind, and are never milder',
    ({ side, effect, class: found, why }) => {
      expect(CLASSES.indexOf(found ?? 'compatible')).toBeLessThan(
        CLASSES.indexOf(classOfKind(RULED[side], effect ?? 'none')),
      );
      expect(why).toMatch(/./);
    },
  );
});
