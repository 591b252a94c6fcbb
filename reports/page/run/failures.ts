import type { CheckResult, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { loadContract } from '../../../specs/contract.ts';
import { loadClauses, type Section } from '../../../specs/texts.ts';
import { requirementOf, sectionName } from '../../about-check.ts';
import { type Cause, causesOf, namespaceOf, type Which } from '../causes.ts';
import {
  anchorOf,
  command,
  cut,
  facts,
  folded,
  html,
  linkTo,
  type Markup,
  type Part,
  placeIn,
  quoted,
  type State,
  section,
  sign,
} from '../markup.ts';

/** So many causes are told in full; a reader who mends them runs again. */
const MOST_IN_FULL = 40;
/** So many are named below them, and of each list of what is alike or hangs on a cause. */
const MOST_NAMED = 200;
const MOST_ALIKE = 40;
const MOST_COMMANDS = 3;

/** What the cards of a run need to know. */
interface CardContext {
  readonly result: RunResult;
  readonly whoActs: (check: CheckResult) => string;
  readonly clauses: ReadonlyMap<string, Section>;
}

/** The findings of one sort as a section, by root cause and the worst first; undefined where there are none. */
export function findings(
  result: RunResult,
  which: Which,
  heading: { readonly id: string; readonly title: string; readonly lead?: string },
): Markup | undefined {
  const causes = causesOf(result, which);
  if (causes.length === 0) return undefined;
  const context: CardContext = {
    result,
    whoActs: whoActsIn(result),
    clauses: loadClauses(),
  };
  const rest = causes.slice(MOST_IN_FULL);
  return section(
    heading.id,
    heading.title,
    heading.lead === undefined ? undefined : html`<p>${heading.lead}</p>`,
    causes.slice(0, MOST_IN_FULL).map((cause) => card(cause, which, context)),
    rest.length === 0
      ? undefined
      : html`<div>
          <h3>${plural(rest.length, 'further cause')}</h3>
          ${named(
            rest.map(({ first }) => first),
            MOST_NAMED,
          )}
        </div>`,
  );
}

/** The ids of the checks that are told in a card, and stand in no list of all checks with an anchor of their own. */
export function toldInCards(result: RunResult): ReadonlySet<string> {
  const sorts: readonly Which[] = ['fail', 'error', 'warn', 'waived', 'unstable'];
  return new Set(
    sorts.flatMap((which) =>
      causesOf(result, which)
        .slice(0, MOST_IN_FULL)
        .map(({ first }) => first.id),
    ),
  );
}

function card({ first, alike, blocked }: Cause, which: Which, context: CardContext): Markup {
  const state: State = which;
  const { waived, unstable, upstream, message } = first;
  return html`<article id=${anchorOf(first.id)} class=${`card ${state}`}>
    <h3><a href=${linkTo(first.id)}>${sign(state)}${cut(message ?? first.title, 300)}</a></h3>
    <p class="id">${placeIn(first, context.result.target)} <code>${cut(first.id, 300)}</code>${badges(first)}</p>
    ${facts([
      ['Asked', message === undefined ? undefined : cut(first.title, 300)],
      ['Expected', quoted(first.expected)],
      ['Observed', quoted(first.observed)],
      [
        'Unstable',
        unstable === undefined ? undefined : `failed ${unstable.failed} of ${unstable.asked} times`,
      ],
      ['Known upstream', upstream === undefined ? undefined : knownCause(upstream)],
      ['Accepted', waived === undefined ? undefined : acceptance(waived)],
      ['Who acts', cut(context.whoActs(first))],
    ])}
    ${commandsOf(first)} ${setsOf(first)} ${clauseOf(first, context)}
    ${
      alike.length === 0
        ? undefined
        : folded(
            `The same in ${plural(alike.length, 'other place')}`,
            named(alike, MOST_ALIKE, context.result),
          )
    }
    ${
      blocked.length === 0
        ? undefined
        : folded(`Hides ${plural(blocked.length, 'check')}`, named(blocked, MOST_ALIKE))
    }
  </article>`;
}

function badges({ standing, basis, unstable }: CheckResult): Part {
  const words = [
    ...(standing === 'new' || standing === 'found'
      ? [standing]
      : standing === 'still'
        ? ['fails still']
        : []),
    ...(basis === 'stated' ? [] : [basis]),
    ...(unstable === undefined ? [] : ['unstable']),
  ];
  return words.map((word) => html` <span class=${`badge ${word === 'new' ? 'new' : ''}`}>${word}</span>`);
}

function acceptance({ reason, owner, expires, link }: NonNullable<CheckResult['waived']>): string {
  return cut(`${reason} (${owner}, until ${expires})${link === undefined ? '' : `, see ${link}`}`);
}

function knownCause({ reason, link }: NonNullable<CheckResult['upstream']>): string {
  return cut(`${reason}${link === undefined ? '' : `, see ${link}`}; a run with --waivers known accepts it`);
}

function commandsOf({ reproduce = [], declare }: CheckResult): Part {
  const labels = ['Repeat the request', 'Then this one', 'And this one'];
  return [
    ...(declare === undefined ? [] : [command(screenful(declare), 'Declare in the index')]),
    ...reproduce
      .slice(0, MOST_COMMANDS)
      .map((line, at) => command(screenful(line), labels[at] ?? 'Repeat the request')),
  ];
}

/** What a fuzz check found: how each set is judged again. */
function setsOf({ replay }: CheckResult): Part {
  const sets = (replay?.sets ?? []).slice(0, MOST_ALIKE);
  if (sets.length === 0) return undefined;
  return folded(
    `${plural(sets.length, 'set')} of arguments that show it`,
    html`<ul class="plain">
      ${sets.map(
        ({ message, replay: line }) =>
          html`<li>${cut(message, 300)}${line === undefined ? undefined : command(line, 'Check it again')}</li>`,
      )}
    </ul>`,
  );
}

const BASIS: Readonly<Record<CheckResult['basis'], string>> = {
  stated: 'This is written there.',
  implied: 'This follows from what is written there.',
  published: 'The site itself says so in what it publishes.',
  doubtful: 'This is written there, but known software does otherwise: it is a warning and no failure.',
};

/** The clause of the specification, in words of our own, with the requirement that the check is for. */
function clauseOf(check: CheckResult, { clauses }: CardContext): Markup {
  const told = clauses.get(check.section);
  const requirement = requirementOf(check.id);
  return folded(
    `The clause: ${sectionName(check.section)}${told === undefined ? '' : ` ${told.title}`}`,
    requirement === undefined ? undefined : html`<p><b>${requirement.statement}</b></p>`,
    html`<p class="quiet">${BASIS[check.basis]}</p>`,
    told === undefined ? undefined : html`<ul>${told.clauses.map((clause) => html`<li>${clause}</li>`)}</ul>`,
  );
}

/** Checks by name, each a link to where it is told. */
export function named(checks: readonly CheckResult[], most: number, result?: RunResult): Markup {
  const rest = checks.length - most;
  return html`<ul class="named">
    ${checks.slice(0, most).map(
      (check) => html`<li>
          <a href=${linkTo(check.id)}><code>${cut(check.id, 300)}</code></a>
          ${result === undefined ? undefined : html` ${placeIn(check, result.target)}`}
        </li>`,
    )}
    ${rest > 0 ? html`<li class="quiet">and ${rest} more in results.json</li>` : undefined}
  </ul>`;
}

/** Tells who can do something about a finding of a run, in one sentence. */
export function whoActsIn({
  target: { operations = {}, vocabulary },
}: Pick<RunResult, 'target'>): (check: CheckResult) => string {
  const core = loadContract({ deployment: 'core', vocabulary: 'neutral' }).operations;
  const coreNamespaces = new Set(
    core.flatMap(({ id }) => (Object.hasOwn(operations, id) ? [operations[id]?.namespace] : [])),
  );
  return (check) => {
    if (check.verdict === 'error') {
      return 'The authors of this suite: please report it, together with results.json.';
    }
    const namespace = namespaceOf(check, operations);
    if (namespace !== undefined && !coreNamespaces.has(namespace)) {
      return `The author of the plugin or theme that serves ${namespace}; the owner of the site can update or replace it.`;
    }
    return vocabulary === 'neutral'
      ? 'The author of this implementation.'
      : 'The owner of the site: its core software answers here, or a plugin that alters what it answers.';
  };
}

/** A reader takes in some 25 lines of 80 characters. */
const SCREENFUL = 2000;

/** A command whose answer fits a screen: of a longer one the end, because the status stands there. */
function screenful(line: string): string {
  return `${line} | tail -c ${SCREENFUL}`;
}
