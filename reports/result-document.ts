import { withStandings } from '../compare/baseline.ts';
import type {
  CheckResult,
  Notice,
  ObservedAnswers,
  RunEvent,
  RunResult,
  ShownFields,
} from '../engine/result.ts';
import { countVerdicts } from './conclusion.ts';
import { fuzzingOf } from './fuzzing.ts';

type StartEvent = Omit<Extract<RunEvent, { event: 'start' }>, 'event' | 'planned'>;
type EndEvent = Omit<Extract<RunEvent, { event: 'end' }>, 'event'>;

/** What a run found. */
interface Findings {
  readonly checks: CheckResult[];
  readonly notices: Notice[];
  readonly fields: readonly ShownFields[];
  /** Absent of a run that did not come to its end. */
  readonly observed?: ObservedAnswers | undefined;
}

/**
 * The result document of a run, from what its events hold: a run and whoever reads its events make the same document.
 * @param found its checks in the order of the plan, and what came beside them
 */
export function resultDocument(
  start: StartEvent,
  { checks, notices, fields, observed }: Findings,
  end: EndEvent,
): RunResult {
  const { seconds, requests, retries, ended, partial, baseline, news, waivers, writing, stage, progress } =
    end;
  const fuzzing = fuzzingOf(checks);
  return {
    format: 1,
    tool: start.tool,
    target: start.target,
    run: { ...start.run, seconds, requests, retries, ...(ended !== undefined && { ended }) },
    conclusion: end.conclusion,
    reason: end.reason,
    counts: countVerdicts(checks),
    ...(baseline !== undefined && { baseline }),
    ...(news !== undefined && { news }),
    ...(waivers !== undefined && { waivers }),
    ...(partial !== undefined && { partial }),
    ...(fuzzing !== undefined && { fuzzing }),
    notices,
    ...observedOf(fields, observed),
    ...(writing !== undefined && { writing }),
    ...(stage !== undefined && { stage }),
    ...(progress !== undefined && { progress }),
    checks: withStandings(checks, baseline),
  };
}

/** What records showed as a result document holds it: by resource and context, in whichever order they were read. */
function observedOf(
  fields: readonly ShownFields[],
  answers: ObservedAnswers | undefined,
): Pick<RunResult, 'observed'> {
  if (fields.length === 0 && answers === undefined) return {};
  const key = ({ resource, context }: ShownFields): string => `${resource}\n${context}`;
  const sorted = fields.toSorted((one, other) =>
    key(one) < key(other) ? -1 : Number(key(one) > key(other)),
  );
  return { observed: { fields: sorted, ...answers } };
}
