import { defined } from '../client/json.ts';
import { type Redactor, redactJson } from '../client/redact.ts';
import { type Check, FINDING_KINDS, type Finding, findingId } from './check.ts';
import type { Counterexample } from './fuzz-options.ts';
import type { CheckResult, Verdict } from './result.ts';
import type { Session } from './session.ts';
import { describeSkip, type SkipReason } from './skip.ts';
import { listed } from './text.ts';

/** The verdict for each kind of finding. The worst one decides. */
const VERDICT: Readonly<Record<Finding['kind'], Verdict>> = {
  failure: 'fail',
  warning: 'warn',
  inconclusive: 'inconclusive',
  blocked: 'skip',
  'not-applicable': 'skip',
};

/**
 * Turns findings into a verdict; nothing else does. No finding is a pass. A failure of a doubtful requirement is a
 * warning. So is one of a published requirement on behaviour, unless the deployment makes it binding.
 * @param seconds wall time of the check
 */
export function evaluateCheck(check: Check, findings: readonly Finding[], seconds: number): CheckResult {
  const ranked = [...findings].sort((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
  const [gravest] = ranked;
  if (gravest === undefined) return resultOf(check, 'pass', seconds);
  const kind = gravest.kind === 'failure' && isWeak(check) ? 'warning' : gravest.kind;
  const more = ranked.slice(1).filter((finding) => finding.kind === gravest.kind);
  // Where arguments matter, the causes may differ.
  const others = more.map(({ witnesses }) => witnesses?.parameters ?? []);
  const { expected, observed, reproduce, adds, controls } = gravest;
  const sets = ranked.flatMap((finding) => counterexampleOf(check, finding));
  return defined({
    ...resultOf(check, VERDICT[kind], seconds),
    skip: skipOf(gravest),
    message:
      more.length === 0 ? gravest.message : `${gravest.message} (and ${namedFindings('more', others)})`,
    expected,
    observed,
    reproduce: reproduce && [...reproduce],
    declare: kind === 'failure' || kind === 'warning' ? check.fragment?.() : undefined,
    adds: adds && [...adds],
    replay: sets.length > 0 ? { sets } : undefined,
    controls: controls && { tried: controls.tried, wanted: [...controls.wanted] },
  });
}

/** Whether software is known to differ from a requirement. Not everything that it publishes is enforced. */
function isWeak({ basis, about, binding }: Check): boolean {
  return basis === 'doubtful' || (basis === 'published' && about !== 'declaration' && binding !== true);
}

const MOST_NAMED = 4;

/** How many findings there are, and the arguments that matter in each. @param how such as `more` */
export function namedFindings(how: string, findings: readonly (readonly string[])[]): string {
  const names = findings.map((parameters) => parameters.join('+'));
  const count = `${findings.length} ${how}`;
  return names.includes('') ? `${count} like it` : `${count}: ${listed(names, MOST_NAMED)}`;
}

function counterexampleOf(
  { id }: Check,
  { message, expected, observed, reproduce, replay, witnesses }: Finding,
): Counterexample[] {
  if (replay === undefined || witnesses === undefined) return [];
  return [
    {
      id: findingId(id, witnesses.parameters, witnesses.kind),
      args: { ...replay },
      ...witnesses,
      message,
      ...defined({ expected, observed, reproduce: reproduce && [...reproduce] }),
    },
  ];
}

function skipOf({ kind, blockedBy, same, message }: Finding): SkipReason | undefined {
  if (kind === 'blocked') return { kind, by: blockedBy ?? '', ...defined({ same }) };
  return kind === 'not-applicable' ? { kind, why: message } : undefined;
}

/** The result of a check that did not run, or not to its end. */
export function skippedResult(check: Check, skip: SkipReason): CheckResult {
  return { ...resultOf(check, 'skip', 0, describeSkip(skip)), skip };
}

/** The result of a check without findings: a verdict, with the reason unless it is a pass. */
export function resultOf(check: Check, verdict: Verdict, seconds: number, message?: string): CheckResult {
  const { id, title, area, kind, section, basis, operation, parameter, namespace, field, about, fuzz } =
    check;
  const known = { id, title, area, kind, section, basis, operation, parameter, namespace, field, about };
  return defined({ ...known, fuzz, verdict, message, seconds });
}

/** A result with secrets masked, which may be in names of members that the target sent. */
export function redactResult(result: CheckResult, redact: Redactor): CheckResult {
  return {
    ...result,
    ...(result.replay !== undefined && {
      replay: { sets: result.replay.sets.map((set) => redactSet(set, redact)) },
    }),
    ...redactedWords(result, redact),
  };
}

type Words = Pick<CheckResult, 'message' | 'expected' | 'observed' | 'reproduce' | 'adds'>;

function redactedWords({ message, expected, observed, reproduce, adds }: Words, redact: Redactor): Words {
  return defined({
    message: message && redact(message),
    expected: expected && redact(expected),
    observed: observed && redact(observed),
    reproduce: reproduce?.map(redact),
    adds: adds?.map(redact),
  });
}

/** A set with a masked secret is marked, because it cannot be sent again. */
function redactSet(set: Counterexample, redact: Redactor): Counterexample {
  const { args } = set;
  const shown = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, redactJson(value, redact)]),
  );
  return {
    ...set,
    args: shown,
    ...(JSON.stringify(shown) !== JSON.stringify(args) && { masked: true }),
    ...redactedWords(set, redact),
  };
}

/** The result of a failed check after its retries; inconclusive if not every retry failed. @param why it had none */
export function resultOfRetries(
  first: CheckResult,
  retries: readonly CheckResult[],
  why: string,
): CheckResult {
  const { message = 'it failed' } = first;
  if (retries.length === 0) return { ...first, message: `${message} (not retried: ${why})` };
  const fault = retries.find(({ verdict }) => verdict === 'error');
  if (fault !== undefined) return fault;
  const asked = retries.length + 1;
  const failed = retries.filter(({ verdict }) => verdict === 'fail').length + 1;
  if (failed === asked) return first;
  return {
    ...first,
    verdict: 'inconclusive',
    unstable: { failed, asked },
    message: `unstable: it failed ${failed} of ${asked} times that it was asked; when it did: ${message}`,
  };
}

/** The session for a retry: a search repeats only the sets of arguments that it found. */
export function narrowed(session: Session, { id: check, replay }: CheckResult): Session {
  const sets = replay?.sets ?? [];
  // A masked secret cannot be sent again.
  if (sets.length === 0 || sets.some(({ masked }) => masked === true)) return session;
  const kept = sets.map(({ args, shows, id }) => ({ check, args, shows, id }));
  return { ...session, fuzz: { examples: 0, kept, replay: true } };
}
