import { showBase } from '../client/address.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import type { RunResult } from '../engine/result.ts';
import { type GivenHints, PASSWORD_VARIABLE } from '../engine/run-options.ts';
import type { RunWaivers } from '../engine/waivers.ts';
import { print } from '../reports/print.ts';
import { visibleLine } from '../reports/text.ts';
import { serve } from '../sites/reference/serve.ts';
import type { Contract } from '../specs/model.ts';
import { clientOptions } from '../suites/run.ts';
import type { ChosenTarget } from './choose-targets.ts';
import { growFreely } from './grow-freely.ts';
import { type Preflight, preflight } from './preflight.ts';
import type { ResolvedTarget } from './resolve-targets.ts';

/** A target that has passed its preflight. */
export interface ReadyTarget extends ResolvedTarget, Preflight {
  readonly url: string;
  readonly contract: Contract;
  readonly hinted: GivenHints;
  readonly accepted: RunWaivers;
  /** When the run ends, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  readonly plan: readonly PlannedCheck[];
  /** The environment of its run alone: holds the password of its user under the one name that the checks read. */
  readonly env: NodeJS.ProcessEnv;
  /** The path of a recording of every exchange, where a reporter wants it. */
  readonly exchanges?: string;
  /** What its baseline holds; undefined without one. */
  readonly earlier: RunResult | undefined;
}

/**
 * Makes a target ready, starting the embedded one where none is named. From here on the time of its budget runs.
 * @param signal ends the preflight
 * @returns the target, and what takes down whatever was started
 * @throws TargetError, UsageError as the preflight does, with nothing left running
 */
export async function readyTarget(
  { target, contract, plan, hinted, accepted, earlier }: ChosenTarget,
  signal: AbortSignal,
): Promise<{ ready: ReadyTarget; close(): Promise<void> }> {
  if (target.unreachable !== undefined) throw target.unreachable;
  const isEmbedded = target.target === undefined;
  if (isEmbedded) growFreely();
  const site = isEmbedded ? await serve({ deployment: target.deployment }) : undefined;
  const close = async (): Promise<void> => site?.close();
  try {
    const url = target.target ?? site?.url ?? '';
    const user = target.user ?? site?.user;
    const password = site?.password ?? (user === undefined ? undefined : process.env[target.passwordFrom]);
    const env = password === undefined ? process.env : { ...process.env, [PASSWORD_VARIABLE]: password };
    const deadline = target.budget === undefined ? undefined : Date.now() + target.budget * 1000;
    const known = { ...target, url, user, hinted, accepted, deadline, env };
    const learned = await preflight(clientOptions({ ...known, target: url }, env), contract, signal);
    const found = showBase(learned.base);
    if (found !== url)
      print(process.stderr, `the index is found below ${visibleLine(found)}: every request goes there\n`);
    const { requests, retries } = learned.traffic;
    const traffic = { ...learned.traffic, requests: requests + (target.asked ?? 0), retries };
    return {
      ready: { ...known, ...learned, url: found, traffic, contract, plan, earlier },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
