import type { Change } from '../../compare/change.ts';
import type { Group } from '../../compare/groups/groups.ts';
import { KINDS } from '../../compare/law.ts';
import type { CheckResult } from '../../engine/result.ts';
import { type Maybe, plural } from '../../engine/text.ts';
import type { CheckKind, Section as Clauses, Reading, VerdictWords } from '../../specs/texts.ts';
import type { SentRequest } from '../../suites/sent-requests.ts';
import { BASIS, sectionName } from '../about-check.ts';
import type { Block, Item, Text, View } from './blocks.ts';
import { code, command, EVERY, facts, list, section, text } from './blocks.ts';

/** Everything known about a check without a site. */
export interface ExplainedCheck {
  readonly id: string;
  readonly deployment: string;
  readonly asks: string;
  /** The kind of check: what it requires and how it decides. */
  readonly kind?: Pick<CheckKind, 'title' | 'asks' | 'decides'>;
  readonly fix?: string;
  /** Since which version of known software it passes, and where it fails. */
  readonly kept?: string;
  readonly section: Clauses | { readonly section: string };
  readonly basis: CheckResult['basis'];
  readonly readings: readonly Pick<Reading, 'id' | 'says'>[];
  readonly requirements: readonly { readonly id: string; readonly statement: string }[];
  readonly operation?: { readonly id: string; readonly methods: readonly string[]; readonly route: string };
  readonly parameter?: string;
  /** For a check of a declaration: the JSON of an index that conforms, from its top level. */
  readonly declare?: string;
  readonly needs: { readonly mode: string; readonly user: boolean };
  /** Ids of its dependencies, hard and soft. */
  readonly hangsOn: readonly string[];
  readonly blocks: readonly string[];
  readonly mutants: readonly string[];
  readonly sends?: readonly SentRequest[];
}

const FOOT = 'explain --json contains everything shown here.';
const MOST_IDS = { screen: 8 } as const;
const MOST_SENT = { screen: 10 } as const;
const MOST_CHECKS = { screen: EVERY } as const;

/** A check: what it requires, why, how it decides, what it sends, and what to do. @param result its result in a run */
export function explainedCheckView(explained: ExplainedCheck, result: CheckResult | undefined): View {
  const { section: clause, operation, parameter, needs, requirements, sends, declare } = explained;
  const about = parameter === undefined ? '' : `, its ${parameter}`;
  const titled = `${sectionName(clause.section)}${'title' in clause ? ` ${clause.title}` : ''}`;
  const clauses = 'clauses' in clause && requirements.length === 0 ? clause.clauses : [];
  const why = [
    ...requirements.map(({ statement }) => statement),
    ...clauses,
    ...explained.readings.map(({ id, says }) => `Ruling ${id}: ${says}`),
  ];
  return opened(explained.id, [
    facts([
      ['asks', `${explained.asks} (deployment ${explained.deployment})`],
      ['of', operation && `${operation.methods.join(', ')} ${operation.route}${about}`],
      ...resultRows(result),
      ['why', `${titled}; ${BASIS[explained.basis]}`],
      ['decides', explained.kind?.decides],
      ['needs', `mode ${needs.mode}${needs.user ? ' and a user' : ''}`],
      ['kept', explained.kept],
      ['if it fails', explained.fix],
    ]),
    result?.reproduce?.map((line) => command(line, { label: 'repeat' })),
    declare !== undefined && command(declare, { label: 'declare', ours: true }),
    listed('what is required', why),
    sends && sentSection(sends),
    listed('depends on', explained.hangsOn.map(idItem), MOST_IDS),
    listed('blocks', explained.blocks.map(idItem), MOST_IDS),
    listed('mutants', explained.mutants.map(idItem), MOST_IDS),
  ]);
}

function resultRows(result: CheckResult | undefined): [string, Text | undefined][] {
  if (result === undefined) return [];
  const { verdict, message, waived, expected, observed } = result;
  return [
    ['verdict', [{ text: verdict, tone: verdict }, message === undefined ? '' : `: ${message}`]],
    ['waived', waived && `until ${waived.expires} by ${waived.owner}: ${waived.reason}`],
    ['expected', expected],
    ['observed', observed],
  ];
}

function sentSection(sends: readonly SentRequest[]): Maybe<Block> {
  const items = sends.map(({ method, route, body, as, answer }) => ({
    text: [code(`${method} ${route}`), `${body === undefined ? '' : ` with ${body}`} (${as}: ${answer})`],
  }));
  return section(
    { title: 'sends' },
    list(items, { most: MOST_SENT, rest: 'more requests' }) ?? text('nothing but the request for the index'),
  );
}

const idItem = (id: string): Item => ({ text: [code(id)] });

function listed(
  title: string,
  items: readonly (Item | string)[],
  most: { readonly screen?: number } = {},
): Maybe<Block> {
  return section({ title }, list(items, { most }));
}

/** Several checks with their titles and sections. */
export function chosenChecksView(checks: readonly Pick<CheckResult, 'id' | 'title' | 'section'>[]): View {
  const items = checks.map(({ id, title, section: clause }) => ({
    text: [code(id), `  ${sectionName(clause)}  ${title}`],
  }));
  const heading = `${plural(checks.length, 'check')}: explain one of them by its id`;
  return opened(heading, [list(items, { most: MOST_CHECKS })]);
}

/** A verdict: its meaning, and what to do. */
export function verdictView({ verdict, means, todo }: VerdictWords): View {
  return opened(verdict, [text(means), text(todo)]);
}

/** A change, or a cause with its places: before, after, its class and why, and what to do. @param own the changes of the cause */
export function explainedChangeView(first: Change, own: readonly Change[], cause: Group | undefined): View {
  const { accepted, exchange } = first;
  return opened(cause?.headline ?? `${first.place}: ${first.subject}`, [
    facts([
      ['class', [{ text: first.class, tone: first.class }, `: ${whyOf(first)}`]],
      ['before', first.before ?? 'nothing'],
      ['after', first.after ?? 'nothing'],
      ['lost', first.lost?.join(', ')],
      ['gained', first.gained?.join(', ')],
      ['for example', first.example],
      ['seen', first.evidence],
      ['for', first.with?.join('; ')],
      ['depend on it', cause?.hanging.join(', ') || undefined],
      [
        'accepted',
        accepted && `until ${accepted.until} by ${accepted.owner}: ${accepted.reason} (${accepted.id})`,
      ],
      ['what to do', cause?.advice],
    ]),
    listed('places', [...new Set(own.map(({ place }) => place))]),
    exchange && [command(exchange.before, { label: 'before' }), command(exchange.after, { label: 'after' })],
  ]);
}

/** Why a change has its class, by the rule of all comparisons. */
function whyOf({ kind, effect, side }: Change): string {
  const { why } = KINDS[kind];
  if (why !== undefined) return why;
  const what = side === 'sent' ? 'callers send' : 'callers receive';
  return {
    narrows: `what ${what} is more limited than before`,
    widens: `what ${what} is less limited than before`,
    incomparable: `some of what ${what} is no longer possible, and something else is`,
    unknown: `the effect on what ${what} is unknown`,
    none: `what ${what} is the same as before`,
  }[effect];
}

function opened(heading: string, lead: readonly Maybe<Block>[]): View {
  return { heading, tone: 'plain', opens: true, lead, foot: FOOT };
}
