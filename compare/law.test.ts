import { describe, expect, it } from 'vitest';
import { CLASSES, classOf, classOfKind, EXCEPTIONS, KINDS, type Kind } from './law.ts';

describe('the law', () => {
  it.each([
    { effect: 'narrows', sent: 'breaking', received: 'compatible' },
    { effect: 'widens', sent: 'compatible', received: 'breaking' },
    { effect: 'incomparable', sent: 'breaking', received: 'breaking' },
    { effect: 'unknown', sent: 'unknown', received: 'unknown' },
    { effect: 'none', sent: 'compatible', received: 'compatible' },
  ] as const)(
    'makes what $effect $sent where it is sent, and $received where it is received',
    ({ effect, ...by }) => {
      expect({ sent: classOf(effect, 'sent'), received: classOf(effect, 'received') }).toEqual(by);
    },
  );
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
