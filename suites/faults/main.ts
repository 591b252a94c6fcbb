import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { matchesGlob } from 'node:path/posix';
import { parseArgs } from 'node:util';
import { isObject } from '../../target/json.ts';
import { checkIds, faultIds, kill } from './kill.ts';
import { killTogether } from './kill-together.ts';
import { renderMatrix, toMatrix } from './matrix.ts';
import type { Acceptance, Outcome } from './outcome.ts';
import { sampleOf } from './sample.ts';
import { harmlessIds, spare } from './spare.ts';

const ACCEPTED = resolve(import.meta.dirname, 'accepted-survivors.json');

const { values } = parseArgs({
  options: {
    deployment: { type: 'string', default: 'b' },
    only: { type: 'string' },
    sample: { type: 'string' },
    everything: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
    out: { type: 'string', default: 'reports/out/faults' },
    shard: { type: 'string' },
    list: { type: 'boolean', default: false },
    harmless: { type: 'boolean', default: false },
    together: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const { deployment, only, sample } = values;
const selected = faultIds(deployment).filter(
  (id) => only === undefined || id === only || matchesGlob(id, only),
);
const ids = sample === undefined ? selected : sampleOf(selected, Number(sample));

if (values.list) process.stdout.write(`${ids.join('\n')}\n`);
else if (values.harmless) process.exitCode = await spareAll();
else if (values.together !== undefined) process.exitCode = await combineSome(Number(values.together));
else if (values.shard !== undefined) await work(values.shard);
else process.exitCode = await main();

/** A worker: every n-th fault, each outcome told to the parent. */
async function work(shard: string): Promise<void> {
  const [index = 0, count = 1] = shard.split('/').map(Number);
  const own = ids.filter((_, at) => at % count === index);
  await kill(deployment, own, {
    everything: values.everything,
    onOutcome: (outcome) => void process.send?.(outcome),
  });
  process.disconnect?.();
}

/** Shares the faults among workers and writes the matrix. @returns the exit code: 1 when a fault survives without a reason */
async function main(): Promise<number> {
  const started = performance.now();
  const workers = Number(values.workers);
  const shares = await Promise.all(Array.from({ length: workers }, (_, at) => share(`${at}/${workers}`)));
  const position = new Map(ids.map((id, at) => [id, at]));
  const outcomes = shares
    .flat()
    .toSorted((one, other) => (position.get(one.fault) ?? 0) - (position.get(other.fault) ?? 0));
  const whole = only === undefined && sample === undefined;
  const minutes = (performance.now() - started) / 60_000;
  const matrix = toMatrix(outcomes, whole ? checkIds(deployment) : [], accepted(), minutes);
  const shown = whole ? matrix : { ...matrix, unused: [] };
  mkdirSync(values.out, { recursive: true });
  const text = renderMatrix(shown);
  writeFileSync(join(values.out, 'matrix.json'), `${JSON.stringify(shown, undefined, 1)}\n`);
  writeFileSync(join(values.out, 'matrix.txt'), text);
  process.stdout.write(text);
  const lost = ids.length - outcomes.length;
  if (lost > 0) process.stdout.write(`${lost} faults were not run: a worker broke\n`);
  return matrix.survivors.length + matrix.elsewhere.length + lost === 0 ? 0 : 1;
}

/** Runs the whole plan against every harmless change. @returns the exit code: 1 when a check reports one */
async function spareAll(): Promise<number> {
  let reports = 0;
  for (const id of harmlessIds()) {
    const [outcome] = await spare(deployment, [id]);
    const reported = outcome?.reported ?? [];
    reports += reported.length;
    process.stdout.write(`${id}: ${reported.length === 0 ? 'nothing reported' : reported.join(', ')}\n`);
  }
  return reports === 0 ? 0 : 1;
}

/** Runs the checks against random sets of three faults. @returns the exit code: 1 when one of them is not reported */
async function combineSome(count: number): Promise<number> {
  const together = await killTogether(deployment, count, Number(values.seed));
  const hidden = together.filter(({ lost }) => lost.length > 0);
  for (const { faults, lost } of hidden) {
    process.stdout.write(`${lost.join(', ')} not reported beside ${faults.join(', ')}\n`);
  }
  process.stdout.write(`${together.length} sets of three faults, ${hidden.length} with one not reported\n`);
  return hidden.length === 0 ? 0 : 1;
}

function share(shard: string): Promise<Outcome[]> {
  return new Promise((resolveShare, reject) => {
    const outcomes: Outcome[] = [];
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--shard', shard]);
    child.on('message', (message: Outcome) => outcomes.push(message));
    child.once('error', reject);
    child.once('exit', () => resolveShare(outcomes));
  });
}

function accepted(): Acceptance[] {
  const listed: unknown = JSON.parse(readFileSync(ACCEPTED, 'utf8'));
  return (Array.isArray(listed) ? listed : []).flatMap((one: unknown) =>
    isObject(one) && typeof one.fault === 'string' && typeof one.reason === 'string'
      ? [{ fault: one.fault, reason: one.reason }]
      : [],
  );
}
