import { killTogether } from './kill-together.ts';

/** Runs the checks against random sets of three faults. @returns the exit code: 1 when one of them is not reported */
export async function runTogether(deployment: string, count: number, seed: number): Promise<number> {
  const together = await killTogether(deployment, count, seed);
  const hidden = together.filter(({ lost }) => lost.length > 0);
  for (const { faults, lost } of hidden) {
    process.stdout.write(`${lost.join(', ')} not reported beside ${faults.join(', ')}\n`);
  }
  process.stdout.write(`${together.length} sets of three faults, ${hidden.length} with one not reported\n`);
  return hidden.length === 0 ? 0 : 1;
}
