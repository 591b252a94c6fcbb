import { describe, expect, it } from 'vitest';
import { classOfKind, EXCEPTIONS, KINDS, type Kind } from './kinds.ts';
import { CLASSES, classOf } from './law.ts';

describe('the law', () => {
  it.each([
    ['narrows', 'sent', 'breaking'],
    ['widens', 'sent', 'compatible'],
    ['narrows', 'received', 'compatible'],
    ['widens', 'received', 'breaking'],
    ['incomparable', 'sent', 'breaking'],
    ['incomparable', 'received', 'breaking'],
    ['unknown', 'sent', 'unknown'],
    ['unknown', 'received', 'unknown'],
    ['none', 'sent', 'compatible'],
    ['none', 'received', 'compatible'],
  ] as const)('makes what %s what is %s %s', (effect, side, expected) => {
    expect(classOf(effect, side)).toBe(expected);
  });
});

describe('the ledger', () => {
  const known = Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][];

  it.each(known)('is all that makes %s other than the law has it', (kind, { side, effect }) => {
    const effects =
      effect === undefined ? (['narrows', 'widens', 'incomparable', 'unknown', 'none'] as const) : [effect];
    const exception = EXCEPTIONS.find((one) => one.kind === kind);

    for (const one of effects) expect(classOfKind(kind, one)).toBe(exception?.class ?? classOf(one, side));
  });

  it.each(EXCEPTIONS)(
    'has a reason for $kind, and a proof where it is milder',
    ({ kind, class: found, reason, proof }) => {
      const { side, effect = 'none' } = KINDS[kind];
      const lawful = classOf(effect, side);

      expect(found).not.toBe(lawful);
      expect(reason).not.toBe('');
      if (CLASSES.indexOf(found) > CLASSES.indexOf(lawful)) expect(proof).toBeDefined();
    },
  );
});
