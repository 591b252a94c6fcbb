import { asObject, member } from '../../client/json.ts';
import type { Finding } from '../../engine/check.ts';
import { blocked, failure, inconclusive } from '../../engine/findings.ts';
import { misfitOf } from '../../specs/shapes.ts';
import type { SiteRecord } from '../records/reading/record.ts';
import { idsOf } from '../records/reading/subset-trial.ts';
import type { Context, Shown } from './read-context.ts';
import { type FieldMember, memberName } from './record-fields.ts';
import { memberShape } from './shown-shape.ts';

/** What was seen in each context that could be looked at. */
export type Sight = ReadonlyMap<Context, Shown>;

/**
 * A finding about a context for a check that did not look for it: a server error is left to the check that reports it.
 * @param root the id of that check; @param own the id of this one
 */
export function relayed(finding: Finding, root: string, own: string): Finding {
  if (finding.kind !== 'failure' || root === own) return finding;
  return blocked(root);
}

/** The finding for a context that makes the server fail; undefined when none does. */
export function brokenIn(sight: Sight): Finding | undefined {
  return [...sight.values()]
    .flatMap((shown) => ('finding' in shown ? [shown.finding] : []))
    .find(({ kind }) => kind === 'failure');
}

/**
 * Judges a member of a field: present in each context that is named for it, absent in the others (§2). A context that
 * cannot be seen is left out; in embed, content may be wholly absent (R12).
 */
export function judgeMember(about: FieldMember, sight: Sight): Finding[] {
  const seen = [...sight].flatMap(([context, shown]) =>
    'records' in shown && shown.records.length > 0 ? [{ context, ...shown }] : [],
  );
  if (seen.length === 0) return [inconclusive(whyUnseen(sight))];
  if (!seen.some(({ records }) => records.some((record) => fieldOf(record, about.field) !== undefined))) {
    return [inconclusive(`no visible record has ${about.field}: its type may not support it`)];
  }
  for (const { context, records, curl } of seen) {
    const wanted = about.contexts.includes(context);
    if (wanted && mayBeAbsent(about, context)) continue;
    const shape = memberShape(about, context);
    const wrong = records.filter(({ json }) => misfitOf(shape, json) !== undefined);
    if (wrong.length === 0) continue;
    const name = memberName(about);
    return [
      failure(`${name} is ${wanted ? 'absent from' : 'shown in'} the context ${context}`, {
        expected: `${name} in ${about.contexts.join(', ')}${wanted ? '' : ' only'}`,
        observed: `${wanted ? 'without it' : 'with it'} in ${context}: ${idsOf(wrong)} of ${records.length}`,
        reproduce: [curl],
      }),
    ];
  }
  return [];
}

/** R12: in embed, content is absent or holds `protected` alone; `judgeContentInEmbed` looks at that. */
function mayBeAbsent({ field }: FieldMember, context: Context): boolean {
  return field === 'content' && context === 'embed';
}

/** Judges R12: in embed, content is absent or holds no member but `protected`. */
export function judgeContentInEmbed({ records, curl }: Extract<Shown, { records: unknown }>): Finding[] {
  if (records.length === 0) return [inconclusive('no record is visible in embed')];
  const more = (record: SiteRecord): string[] =>
    Object.keys(fieldOf(record, 'content') ?? {}).filter((name) => name !== 'protected');
  const wrong = records.filter((record) => more(record).length > 0);
  const [first] = wrong;
  if (first === undefined) return [];
  return [
    failure('content holds more than protected in the context embed', {
      expected: 'no content, or nothing in it but protected',
      observed: `${more(first).join(', ')} in ${idsOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    }),
  ];
}

function whyUnseen(sight: Sight): string {
  const reasons = [...sight.values()].flatMap((shown) => ('finding' in shown ? [shown.finding.message] : []));
  return reasons[0] ?? 'no record is visible';
}

/** The object that a field holds; undefined when the record does not show the field. */
export function fieldOf({ json }: SiteRecord, field: string): ReturnType<typeof asObject> {
  return asObject(member(json, field));
}
