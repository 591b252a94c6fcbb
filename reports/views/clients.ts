import type { AffectedCall, AffectedClient, CallChange, Comparison } from '../../compare/comparison.ts';
import { CLASSES } from '../../compare/law.ts';
import { groupsBy, type Maybe, plural } from '../../engine/text.ts';
import { type Block, code, details, list, numbers, section, table, text } from './blocks.ts';

const MOST_CALLS = { screen: 50, comment: 100, page: 2000 } as const;
const MOST_ROWS = { screen: 40, comment: 100, page: 1000 } as const;

/** The result of a comparison for clients, such as `3 of 41 calls break`. */
export function clientsHeading(clients: readonly AffectedClient[]): string {
  const [only] = clients;
  if (only !== undefined && clients.length === 1) return clientWords(only);
  const broken = clients.filter(({ breaking }) => breaking.length > 0);
  if (broken.length === 0) return `No call of ${plural(clients.length, 'client')} is known to break`;
  return `Calls of ${broken.length} of ${plural(clients.length, 'client')} break: ${broken.map(({ name }) => name).join(', ')}`;
}

function clientWords({ calls, breaking, unknown }: AffectedClient): string {
  const unsure = unknown.length === 0 ? '' : `, of ${unknown.length} it is unknown`;
  return breaking.length === 0
    ? `None of ${plural(calls, 'call')} is known to break${unsure}`
    : `${breaking.length} of ${plural(calls, 'call')} ${breaking.length === 1 ? 'breaks' : 'break'}${unsure}`;
}

/** The calls that break with what to do, then all other changes, folded. @param others a comparison without clients */
export function clientBlocks(
  comparison: Comparison,
  clients: readonly AffectedClient[],
  others: readonly Maybe<Block>[],
): Maybe<Block> {
  const met = new Set(
    clients.flatMap(({ breaking, unknown }) =>
      [...breaking, ...unknown].flatMap(({ changes }) => changes.map(({ cause }) => cause)),
    ),
  );
  const left = comparison.groups.filter(({ digest }) => !met.has(digest));
  const counts = CLASSES.map((name) => `${left.filter((one) => one.class === name).length} ${name}`);
  const summary = `What else changed and concerns none of these calls: ${plural(left.length, 'cause')} (${counts.join(', ')})`;
  return [
    clients.length > 1 && tableOf(clients),
    clients.map(clientSections),
    text(`${summary}; --out or --html lists them.`, { to: 'screen', quiet: true }),
    details(`${summary}; all changes`, others, { from: 'comment' }),
  ];
}

function clientSections(client: AffectedClient, at: number): Maybe<Block> {
  const { name, calls, breaking, unknown, refused } = client;
  return [
    section(
      {
        id: `client-${at}`,
        way: [name, `${breaking.length} of ${calls}`],
        title: `${name}: ${clientWords(client)}`,
        tone: breaking.length > 0 ? 'breaking' : unknown.length > 0 ? 'unknown' : 'compatible',
      },
      listOf(breaking, 'breaking'),
      unknown.length > 0 && text('Whether these notice is unknown:', { quiet: true }),
      listOf(unknown, 'unknown'),
    ),
    section(
      { title: `${name}: ${plural(refused.length, 'call')} that the site refuses already before` },
      list(
        refused.map(({ call, why }) => ({ text: [code(call)], notes: [why] })),
        { most: MOST_CALLS },
      ),
    ),
  ];
}

function listOf(calls: readonly AffectedCall[], tone: 'breaking' | 'unknown'): Maybe<Block> {
  return list(
    calls.map(({ call, changes }) => ({ text: [code(call)], tone, blocks: [list(saidOnce(changes))] })),
    { most: MOST_CALLS },
  );
}

/** Several changes may say the same about a call, or differ only in the members that they name. */
function saidOnce(changes: readonly CallChange[]): string[] {
  const headOf = ({ says }: CallChange): string => says.split(': ', 1)[0] ?? '';
  return groupsBy(changes, (one) => `${headOf(one)}. ${one.instead}`).map((alike) => {
    const [first] = alike;
    const head = headOf(first);
    const tails = new Set(alike.flatMap(({ says }) => says.slice(head.length + 2).split(', ')));
    const named = [...tails].filter((tail) => tail !== '').join(', ');
    return `${named === '' ? head : `${head}: ${named}`}. ${first.instead}`;
  });
}

function tableOf(clients: readonly AffectedClient[]): Maybe<Block> {
  const counts = clients.map(({ breaking, unknown }) => {
    const met = [...breaking, ...unknown].flatMap(({ changes }) => [
      ...new Set(changes.map(({ says }) => says)),
    ]);
    return Map.groupBy(met, (words) => words);
  });
  const says = [...new Set(counts.flatMap((own) => [...own.keys()]))];
  return section(
    { id: 'clients', title: 'Clients by change' },
    table(
      'How many calls of each client meet a change',
      ['change', ...numbers(...clients.map(({ name }) => name))],
      says.map((words) => [words, ...counts.map((own) => String(own.get(words)?.length ?? ''))]),
      { most: MOST_ROWS },
    ),
  );
}
