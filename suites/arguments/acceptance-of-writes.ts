import type { Finding } from '../../engine/check.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import { ownRecordsOf } from '../../probing/records/own/own-check.ts';
import { isOwnable } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import type { Acceptance } from './acceptance.ts';
import { besideOf, groupSamples, type Sample, type SampleGroup, samplesOf } from './acceptance-groups.ts';
import { tryGroup } from './acceptance-trial.ts';
import type { Args } from './call.ts';
import { probeOwnRecord } from './probe-as-user.ts';

/** Whether what a write takes can be tried on records of the run's own. */
export function isTriedOnRecords(contract: Contract, { resource, role }: Operation): boolean {
  if (resource === undefined || resource.kind === 'revisions' || !isOwnable(contract, resource)) return false;
  return role === 'create' || (role === 'update' && resource.kind !== 'autosaves');
}

/**
 * Tests every value of a write of records that must be accepted, on own records, in as few writes as possible, once for
 * all its checks.
 */
export const acceptanceOfWrites: Fixture<Acceptance | { readonly reason: string }, [operation: Operation]> =
  fixture('acceptance', async (session, operation) => {
    const own = ownRecordsOf(session);
    if (own === undefined) return { reason: 'no records of its own can be written' };
    const probe = await probeOwnRecord(session, own, operation);
    if (typeof probe === 'string') return { reason: probe };
    const findings = new Map<Sample, Finding>();
    const trial = {
      operation,
      // From which status a record may go to which other one is silent: what is tried again meets a new draft.
      ask: (group: SampleGroup, again: boolean) => probe(argsOf(group, true), again),
      control: (group: SampleGroup) => probe(argsOf(group, false), true),
    };
    for (const group of groupSamples(samplesOf(operation).toSorted(publishedLast))) {
      await tryGroup(trial, group, findings);
    }
    return { findings, inCompany: new Set() };
  });

/** What is published may not become a draft again. */
function publishedLast(one: Sample, other: Sample): number {
  return Number(isPublished(one)) - Number(isPublished(other));
}

function isPublished({ parameter, accepted }: Sample): boolean {
  return parameter.name === 'status' && accepted.value === 'publish';
}

/** A group with what it needs beside it; without the samples it is their control. */
function argsOf(group: SampleGroup, samples: boolean): Args {
  const args: Record<string, unknown> = {};
  for (const sample of group) {
    Object.assign(args, besideOf(sample));
    if (samples) args[sample.parameter.wire] = sample.accepted.value;
  }
  return args;
}
