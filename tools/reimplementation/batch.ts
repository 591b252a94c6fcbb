import type { Arguments } from './parameter.ts';
import { Refusal } from './refusal.ts';
import { type Call, listOf, memberOf, type Reply, textOf } from './site.ts';

/** One part of a batch. */
export interface Part {
  readonly method: string;
  readonly path: string;
  readonly body: Arguments;
}

/** What a part comes to: `check` refuses what is not valid, `run` carries it out. */
export interface Parts {
  check(part: Part): void;
  run(part: Part): Reply;
}

/** Carries several writes out, one after the other. */
export function runBatch(call: Call, parts: Parts): Reply {
  const asked = (listOf(call.args.requests) ?? []).map((request): Part => {
    const body = memberOf(request, 'body');
    return {
      method: textOf(memberOf(request, 'method')) ?? 'POST',
      path: textOf(memberOf(request, 'path')) ?? '',
      body: typeof body === 'object' && body !== null ? { ...body } : {},
    };
  });
  const first = call.args.validation === 'require-all-validate' && call.site.features.has('batch-validation');
  const refused = first ? asked.map((part) => outcomeOf(() => parts.check(part))) : [];
  if (refused.some((why) => why !== undefined))
    return { status: 200, body: { executed: false, answers: refused.map((why) => why ?? null) } };
  const answers = asked.map((part) => {
    let reply: Reply | undefined;
    const why = outcomeOf(() => {
      parts.check(part);
      reply = parts.run(part);
    });
    return why ?? reply;
  });
  return { status: 200, body: { executed: true, answers } };
}

function outcomeOf(work: () => void): Reply | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: { refused: error.message } };
  }
}
