import type { BlameDocument } from '../../compare/blame/document.ts';
import type { Cost } from '../../compare/blame/search.ts';
import { listed, plural } from '../../engine/text.ts';
import { facts, list, section, table, text, type View } from './blocks.ts';

const MOST = { screen: 40 } as const;
const MOST_NAMED = 6;

interface BlamePlan {
  readonly steps: readonly string[];
  readonly url: string;
  /** The cost if one step alone causes the change, and if two do together. */
  readonly cost: readonly [one: Cost, two: Cost];
  /** Whether all steps are run once to see what they change. */
  readonly isLearned: boolean;
}

/** The maximum cost of a search. */
export function blamePlanView({ steps, url, cost: [one, two], isLearned }: BlamePlan): View {
  const once = isLearned ? 1 : 0;
  const words = ({ tests, resets, steps: applied }: Cost): string =>
    `${plural(resets + once, 'reset')} and ${plural(applied + once * steps.length, 'step')} in ${plural(tests, 'test')}`;
  return {
    heading: `A search among ${plural(steps.length, 'step')}`,
    tone: 'plain',
    reason: `at most ${words(one)} where one step does it, ${words(two)} where two do only together`,
    lead: [
      facts([
        ['site', url],
        ['steps', listed(steps, MOST_NAMED)],
      ]),
      text(
        `${isLearned ? 'First all steps are applied, and everything is run once. ' : ''}Then a test asks only what shows the change, a few requests, three times. The reset comes first and last.`,
      ),
    ],
    foot: 'nothing was run',
  };
}

/** The steps that caused a change, or why they are unknown. */
export function blameView(document: BlameDocument): View {
  const { found, inconclusive = '', left, spent, tests, target, steps, blamed = [] } = document;
  const { resets, steps: applied, requests } = spent;
  const tried = `${plural(tests.length, 'test')} of ${plural(steps.length, 'step')}`;
  const cost = `${plural(resets, 'reset')}, ${plural(applied, 'step')} applied, ${plural(requests, 'request')}`;
  return {
    ...(found ? guilt(found) : { heading: 'inconclusive', tone: 'inconclusive', reason: inconclusive }),
    lead: [
      facts([
        ['site', target.url],
        ['change', found?.headline ?? (blamed.length === 1 ? blamed[0]?.headline : document.change)],
        ['tried', `${tried}: ${cost}`],
      ]),
    ],
    summary: [left !== undefined && text(left, { tone: 'fail' })],
    blocks: [
      table(
        'Tests',
        ['steps', 'which', 'the change'],
        tests.map((test) => [
          String(test.steps.length),
          listed(test.steps, MOST_NAMED),
          test.failed ?? (test.shown.length === 0 ? 'does not show' : 'shows'),
        ]),
        { most: MOST, prose: true },
      ),
      section({ title: 'The same brings about' }, list(found?.others ?? [])),
    ],
    foot: '',
  };
}

function guilt({ steps, headline }: NonNullable<BlameDocument['found']>) {
  const [them, none] = steps.length === 1 ? ['this step', 'it'] : ['these steps', 'any one of them'];
  const heading = steps.length === 1 ? `It is ${steps[0]}` : `Only together: ${steps.join(' and ')}`;
  const reason = `with ${them} alone it shows, and without ${none} it does not: ${headline}`;
  return { heading, tone: 'plain', reason } as const;
}
