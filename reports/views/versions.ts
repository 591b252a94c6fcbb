import { groupsBy, type Maybe, plural } from '../../engine/text.ts';
import { sinceOf, type Versions } from '../../specs/versions/versions.ts';
import { type Block, code, type Item, list, type Row, section, table, text, type View } from './blocks.ts';
import { headlineSpans } from './comparison.ts';

const MOST = { screen: 500, comment: 500, page: 2000 };
/** The words for verdicts; empty if the version did not run. */
const WORDS: Readonly<Record<string, string>> = {
  p: 'kept',
  w: 'warns',
  f: 'fails',
  b: 'blocked',
  i: 'unclear',
};

const WHEN = { none: ' or earlier', unknown: ', not evaluated before', 'not kept': '' } as const;

interface Line {
  readonly id: string;
  readonly letters: string;
}

/** The known versions of a software: since when each check passes, what fails, and what each step changes. */
export function versionsView(versions: Versions): View {
  const { software, runs, verdicts, steps } = versions;
  const lines = Object.entries(verdicts)
    .flatMap(([letters, ids]) => ids.map((id): Line => ({ id, letters })))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const failing = lines.filter(({ letters }) => letters.includes('f'));
  return {
    heading: `Since which version of ${software} is a requirement kept?`,
    tone: 'plain',
    lead: [
      text([
        code('npm run versions'),
        ' runs each version with the same content and theme, as a user, in the mode shown. Checks that need another mode did not run. A "blocked" check depends on a failing one. A cell is empty if nobody ran it.',
      ]),
      table(
        'The runs',
        ['version', 'day', 'mode', 'requests', 'pass', 'fail', 'blocked', 'unclear'],
        runs.map(({ version, day, mode, requests }, at) => [
          version,
          day,
          mode,
          String(requests),
          ...['p', 'f', 'b', 'i'].map((letter) =>
            String(lines.filter(({ letters }) => letters[at] === letter).length),
          ),
        ]),
      ),
    ],
    blocks: [
      named('since', 'Kept since', [sinceTable(versions, lines)]),
      named('fails', 'What fails', [cellTable(versions, failing)]),
      named('steps', 'What changed from one version to the next', steps.map(stepSection)),
    ],
    search: { noun: 'rows', choices: [] },
    foot: `contract ${versions.contract}`,
  };
}

function named(id: string, title: string, blocks: readonly Maybe<Block>[]): Maybe<Block> {
  return section({ id, title, way: [title] }, blocks);
}

/** One row for each family that is entirely new; for the first version, one for each operation. */
function sinceTable(versions: Versions, lines: readonly Line[]): Maybe<Block> {
  const placed = lines.flatMap(({ id, letters }) => {
    const since = sinceOf(versions, letters);
    if (since === undefined) return [];
    const { version, before } = since;
    const family = id.split('/').slice(0, before === 'none' ? 1 : 2);
    return [{ id, version, when: `${version}${WHEN[before]}`, family: family.join('/') }];
  });
  const order = versions.runs.map(({ version }) => version);
  const rows = groupsBy(placed, ({ when, family }) => `${when} ${family}`).map((all) => {
    const [{ version, when, family, id }] = all;
    const name = all.length === 1 ? id : `${family}/**`;
    return { at: order.indexOf(version), cells: [when, [code(name)], String(all.length)] };
  });
  return table(
    'Kept since',
    ['kept since', 'checks', 'how many'],
    rows.toSorted((one, other) => other.at - one.at),
    { searched: true, most: MOST },
  );
}

function cellTable({ runs, failures }: Versions, lines: readonly Line[]): Maybe<Block> {
  const rows = lines.map(
    ({ id, letters }): Row => ({
      cells: [[code(id)], ...[...letters].map((letter) => WORDS[letter] ?? '')],
      note: failures[id] ?? '',
      tone: letters.endsWith('f') ? 'fail' : 'pass',
    }),
  );
  const columns = ['check', ...runs.map(({ version }) => version)];
  return table('What fails', columns, rows, { searched: true, prose: true, most: MOST });
}

function stepSection({ from, to, compatible, ...step }: Versions['steps'][number]): Maybe<Block> {
  const items = (['breaking', 'unknown'] as const).flatMap((tone) =>
    step[tone].map(({ headline }): Item => ({ text: [`${tone}: `, headlineSpans({ headline })], tone })),
  );
  const others: Item = { text: plural(compatible, 'compatible cause'), tone: 'compatible' };
  return section({ title: `${from} to ${to}` }, list([...items, others], { searched: true, most: MOST }));
}
