import { expectTypeOf, it } from 'vitest';
import type { AnswerNotes, MemberNotes, RefusalNotes } from '../client/observed/document.ts';
import type { BlameDocument } from '../compare/blame/document.ts';
import type { Accepted, Change } from '../compare/change.ts';
import type { AffectedCall, Comparison } from '../compare/comparison.ts';
import type { Fleet, FleetCheck, FleetTarget } from '../compare/fleet/document.ts';
import type { Group } from '../compare/groups/groups.ts';
import type { FailingCheck, History, HistoryRun, Series, UnstableCheck } from '../compare/history/history.ts';
import type { Snapshot } from '../compare/side.ts';
import type { Counterexample, FuzzCoverage, SearchesOfRun } from '../engine/fuzz-options.ts';
import type {
  BaselineReport,
  CheckResult,
  FieldNames,
  FixtureReport,
  FuzzingReport,
  Notice,
  PartialRun,
  ProgressReport,
  RunResult,
  ShownFields,
  Waived,
  WaiversReport,
  WritingReport,
} from '../engine/result.ts';
import type { RunEvent } from '../engine/run-event.ts';
import type {
  CertificatePlan,
  CertificateSubject,
  Envelope,
  Statement,
} from '../reports/certificate/documents.ts';
import blame from '../specs/schemas/blame.schema.json' with { type: 'json' };
import certificate from '../specs/schemas/certificate.schema.json' with { type: 'json' };
import comparison from '../specs/schemas/comparison.schema.json' with { type: 'json' };
import event from '../specs/schemas/event.schema.json' with { type: 'json' };
import fleet from '../specs/schemas/fleet.schema.json' with { type: 'json' };
import history from '../specs/schemas/history.schema.json' with { type: 'json' };
import result from '../specs/schemas/result.schema.json' with { type: 'json' };
import snapshot from '../specs/schemas/snapshot.schema.json' with { type: 'json' };

/** The members of a document, and those of its schema. */
type Names<Document> = Exclude<keyof Document, '$schema'>;
type Named<Schema extends { properties: object }> = Names<Schema['properties']>;

type EventOf<Kind extends RunEvent['event']> = Extract<RunEvent, { event: Kind }>;

type Result = (typeof result)['$defs'];
type Compared = (typeof comparison)['$defs'];
type Runs = (typeof history)['$defs'];
type Certified = (typeof certificate)['$defs'];
type Events = (typeof event)['$defs'];

/** Documents and parts of them, each with its schema. */
interface Documents {
  RunResult: [RunResult, typeof result];
  RunResult_run: [RunResult['run'], (typeof result)['properties']['run']];
  RunResult_target: [RunResult['target'], Result['target']];
  CheckResult: [CheckResult, Result['check']];
  BaselineReport: [BaselineReport, Result['baseline']];
  WaiversReport: [WaiversReport, Result['waivers']];
  Waived: [Waived, Result['waived']];
  PartialRun: [PartialRun, Result['partial']];
  ProgressReport: [ProgressReport, Result['progress']];
  FixtureReport: [FixtureReport, Result['stage']];
  WritingReport: [WritingReport, Result['writing']];
  Notice: [Notice, Result['notice']];
  Counterexample: [Counterexample, Result['counterexample']];
  FuzzCoverage: [FuzzCoverage, Result['tried']];
  FuzzingReport: [FuzzingReport, Result['fuzzing']];
  SearchesOfRun: [SearchesOfRun, Result['searches']];
  FieldNames: [FieldNames, Result['fieldNames']];
  ShownFields: [ShownFields, Result['shownFields']];
  AnswerNotes: [AnswerNotes, Result['answerNotes']];
  MemberNotes: [MemberNotes, Result['memberNotes']];
  RefusalNotes: [RefusalNotes, Result['refusalNotes']];
  EventOf_start: [EventOf<'start'>, Events['start']];
  EventOf_check: [EventOf<'check'>, Events['check']];
  EventOf_notice: [EventOf<'notice'>, Events['notice']];
  EventOf_fields: [EventOf<'fields'>, Events['fields']];
  EventOf_observed: [EventOf<'observed'>, Events['observed']];
  EventOf_end: [EventOf<'end'>, Events['end']];
  Comparison: [Comparison, typeof comparison];
  Change: [Change, Compared['change']];
  Accepted: [Accepted, Compared['accepted']];
  Group: [Group, Compared['group']];
  AffectedCall: [AffectedCall, Compared['heldCall']];
  Snapshot: [Snapshot, typeof snapshot];
  BlameDocument: [BlameDocument, typeof blame];
  Fleet: [Fleet, typeof fleet];
  FleetTarget: [FleetTarget, (typeof fleet)['$defs']['target']];
  FleetCheck: [FleetCheck, (typeof fleet)['$defs']['check']];
  History: [History, typeof history];
  HistoryRun: [HistoryRun, Runs['night']];
  Series: [Series, Runs['series']];
  FailingCheck: [FailingCheck, Runs['failing']];
  UnstableCheck: [UnstableCheck, Runs['unstable']];
  Envelope: [Envelope, Certified['envelope']];
  Statement: [Statement, Certified['statement']];
  CertificatePlan: [CertificatePlan, Certified['plan']];
  CertificateSubject: [CertificateSubject, Certified['subject']];
}

// `npm run types` evaluates this. The documents of all other tests show that the members match the schemas.
it('the type and the schema of each document name the same members', () => {
  expectTypeOf<{ [Name in keyof Documents]: Names<Documents[Name][0]> }>().toEqualTypeOf<{
    [Name in keyof Documents]: Named<Documents[Name][1]>;
  }>();
});
