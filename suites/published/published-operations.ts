import type { Contract, Operation } from '../../specs/model.ts';

/** The reads whose records a site publishes the schema of, with that. */
export interface RecordReader {
  readonly operation: Operation;
  readonly answer: NonNullable<Operation['answer']>;
}

/** The reads of a contract whose records the site publishes the schema of. */
export function recordReaders(contract: Contract): RecordReader[] {
  return contract.operations.flatMap((operation) => {
    const { answer, effect } = operation;
    return answer === undefined || effect !== 'reads' ? [] : [{ operation, answer }];
  });
}
