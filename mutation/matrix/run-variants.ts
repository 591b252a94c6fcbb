import { harmlessIds, spare } from './spare.ts';

/** Runs the whole plan against every benign variant. @returns the exit code: 1 when a check reports one */
export async function runVariants(deployment: string): Promise<number> {
  let reports = 0;
  const ids = harmlessIds();
  for (const id of ids) {
    const [outcome] = await spare(deployment, [id]);
    const reported = outcome?.reported ?? [];
    reports += reported.length;
    process.stdout.write(`${id}: ${reported.length === 0 ? 'nothing reported' : reported.join(', ')}\n`);
  }
  process.stdout.write(`${ids.length} benign variants, ${reports} reports\n`);
  return reports === 0 ? 0 : 1;
}
