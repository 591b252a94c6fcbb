const PARALLEL = 4;

/** Does something for each, in their order, a few at a time. */
export async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
