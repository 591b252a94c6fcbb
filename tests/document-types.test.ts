import { describe, expectTypeOf, it } from 'vitest';
import type { AnswerNotes, MemberNotes, RefusalNotes } from '../client/observed/document.ts';
import type { BlameDocument } from '../compare/blame/document.ts';
import type { Accepted, Change } from '../compare/change.ts';
import type { Comparison, HeldCall } from '../compare/comparison.ts';
import type { Fleet, FleetCheck, FleetTarget } from '../compare/fleet/document.ts';
import type { Group } from '../compare/groups.ts';
import type {
  FailingCheck,
  History,
  HistoryRun,
  Series,
  UnstableCheck,
} from '../compare/history/document.ts';
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

// `npm run types` evaluates these. The documents of all other tests show that the members match the schemas.
describe('the type and the schema name the same members of', () => {
  it('the result of a run', () => {
    expectTypeOf<Names<RunResult>>().toEqualTypeOf<Named<typeof result>>();
    expectTypeOf<Names<RunResult['run']>>().toEqualTypeOf<Named<(typeof result)['properties']['run']>>();
    expectTypeOf<Names<RunResult['target']>>().toEqualTypeOf<Named<Result['target']>>();
    expectTypeOf<Names<CheckResult>>().toEqualTypeOf<Named<Result['check']>>();
    expectTypeOf<Names<BaselineReport>>().toEqualTypeOf<Named<Result['baseline']>>();
    expectTypeOf<Names<WaiversReport>>().toEqualTypeOf<Named<Result['waivers']>>();
    expectTypeOf<Names<Waived>>().toEqualTypeOf<Named<Result['waived']>>();
    expectTypeOf<Names<PartialRun>>().toEqualTypeOf<Named<Result['partial']>>();
    expectTypeOf<Names<ProgressReport>>().toEqualTypeOf<Named<Result['progress']>>();
    expectTypeOf<Names<FixtureReport>>().toEqualTypeOf<Named<Result['stage']>>();
    expectTypeOf<Names<WritingReport>>().toEqualTypeOf<Named<Result['writing']>>();
    expectTypeOf<Names<Notice>>().toEqualTypeOf<Named<Result['notice']>>();
    expectTypeOf<Names<Counterexample>>().toEqualTypeOf<Named<Result['counterexample']>>();
    expectTypeOf<Names<FuzzCoverage>>().toEqualTypeOf<Named<Result['tried']>>();
    expectTypeOf<Names<FuzzingReport>>().toEqualTypeOf<Named<Result['fuzzing']>>();
    expectTypeOf<Names<SearchesOfRun>>().toEqualTypeOf<Named<Result['searches']>>();
  });

  it('what a run noted of answers', () => {
    expectTypeOf<Names<FieldNames>>().toEqualTypeOf<Named<Result['fieldNames']>>();
    expectTypeOf<Names<ShownFields>>().toEqualTypeOf<Named<Result['shownFields']>>();
    expectTypeOf<Names<AnswerNotes>>().toEqualTypeOf<Named<Result['answerNotes']>>();
    expectTypeOf<Names<MemberNotes>>().toEqualTypeOf<Named<Result['memberNotes']>>();
    expectTypeOf<Names<RefusalNotes>>().toEqualTypeOf<Named<Result['refusalNotes']>>();
  });

  it('the events of a run', () => {
    expectTypeOf<Names<EventOf<'start'>>>().toEqualTypeOf<Named<Events['start']>>();
    expectTypeOf<Names<EventOf<'check'>>>().toEqualTypeOf<Named<Events['check']>>();
    expectTypeOf<Names<EventOf<'notice'>>>().toEqualTypeOf<Named<Events['notice']>>();
    expectTypeOf<Names<EventOf<'fields'>>>().toEqualTypeOf<Named<Events['fields']>>();
    expectTypeOf<Names<EventOf<'observed'>>>().toEqualTypeOf<Named<Events['observed']>>();
    expectTypeOf<Names<EventOf<'end'>>>().toEqualTypeOf<Named<Events['end']>>();
  });

  it('comparisons and snapshots', () => {
    expectTypeOf<Names<Comparison>>().toEqualTypeOf<Named<typeof comparison>>();
    expectTypeOf<Names<Change>>().toEqualTypeOf<Named<Compared['change']>>();
    expectTypeOf<Names<Accepted>>().toEqualTypeOf<Named<Compared['accepted']>>();
    expectTypeOf<Names<Group>>().toEqualTypeOf<Named<Compared['group']>>();
    expectTypeOf<Names<HeldCall>>().toEqualTypeOf<Named<Compared['heldCall']>>();
    expectTypeOf<Names<Snapshot>>().toEqualTypeOf<Named<typeof snapshot>>();
    expectTypeOf<Names<BlameDocument>>().toEqualTypeOf<Named<typeof blame>>();
  });

  it('fleets and histories', () => {
    expectTypeOf<Names<Fleet>>().toEqualTypeOf<Named<typeof fleet>>();
    expectTypeOf<Names<FleetTarget>>().toEqualTypeOf<Named<(typeof fleet)['$defs']['target']>>();
    expectTypeOf<Names<FleetCheck>>().toEqualTypeOf<Named<(typeof fleet)['$defs']['check']>>();
    expectTypeOf<Names<History>>().toEqualTypeOf<Named<typeof history>>();
    expectTypeOf<Names<HistoryRun>>().toEqualTypeOf<Named<Runs['night']>>();
    expectTypeOf<Names<Series>>().toEqualTypeOf<Named<Runs['series']>>();
    expectTypeOf<Names<FailingCheck>>().toEqualTypeOf<Named<Runs['failing']>>();
    expectTypeOf<Names<UnstableCheck>>().toEqualTypeOf<Named<Runs['unstable']>>();
  });

  it('certificates', () => {
    expectTypeOf<Names<Envelope>>().toEqualTypeOf<Named<Certified['envelope']>>();
    expectTypeOf<Names<Statement>>().toEqualTypeOf<Named<Certified['statement']>>();
    expectTypeOf<Names<CertificatePlan>>().toEqualTypeOf<Named<Certified['plan']>>();
    expectTypeOf<Names<CertificateSubject>>().toEqualTypeOf<Named<Certified['subject']>>();
  });
});
