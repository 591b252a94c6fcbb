import { killTogether } from './kill-together.ts';

/** Runs the checks against random sets of three mutants. @returns the exit code: 1 when one of them is not reported */
export async function runTogether(deployment: string, count: number, seed: number): Promise<number> {
  const together = await killTogether(deployment, count, seed);
  const hidden = together.filter(({ lost }) => lost.length > 0);
  for (const { mutants, lost } of hidden) {
    process.stdout.write(`${lost.join(', ')} not reported beside ${mutants.join(', ')}\n`);
  }
  process.stdout.write(`${together.length} sets of three mutants, ${hidden.length} with one not reported\n`);
  return hidden.length === 0 ? 0 : 1;
}
