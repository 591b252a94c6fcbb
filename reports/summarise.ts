import type { Conclusion, RunResult, Verdict } from '../engine/result.ts';

/** One deployment of a run of several, with the folder (relative to the summary) that holds its reports. */
export interface DeploymentRun {
  folder: string;
  result: RunResult;
}

/** The document `summary.json`, format 1, beside the folders of a run of several deployments. */
export interface Summary {
  format: 1;
  conclusion: Conclusion;
  deployments: {
    deployment: string;
    folder: string;
    conclusion: Conclusion;
    reason: string;
    counts: Record<Verdict, number>;
  }[];
}

/** From the worst on: the first that occurs is the conclusion of the whole. */
const WORST_FIRST: readonly Conclusion[] = ['nonconformant', 'inconclusive', 'conformant'];

/** Sums up a run of several deployments; the whole is as bad as its worst part, and inconclusive without any. */
export function summarise(runs: readonly DeploymentRun[]): Summary {
  const deployments = runs.map(({ folder, result }) => ({
    deployment: result.target.deployment,
    folder,
    conclusion: result.conclusion,
    reason: result.reason,
    counts: result.counts,
  }));
  const conclusion = WORST_FIRST.find((candidate) => deployments.some((row) => row.conclusion === candidate));
  return { format: 1, conclusion: conclusion ?? 'inconclusive', deployments };
}
