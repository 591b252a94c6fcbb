import type { RunResult, ShownFields } from '../engine/result.ts';

/** What records showed as a result document holds it: by resource and context, in whichever order they were read. */
export function observedOf(fields: readonly ShownFields[]): Pick<RunResult, 'observed'> {
  if (fields.length === 0) return {};
  const key = ({ resource, context }: ShownFields): string => `${resource}\n${context}`;
  const sorted = fields.toSorted((one, other) =>
    key(one) < key(other) ? -1 : Number(key(one) > key(other)),
  );
  return { observed: { fields: sorted } };
}
