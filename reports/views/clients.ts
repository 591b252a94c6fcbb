import type { Comparison, HeldCall, HeldChange, HeldClient } from '../../compare/comparison.ts';
import { CLASSES } from '../../compare/law.ts';
import { plural } from '../../engine/text.ts';
import { type Block, type Item, type Section, sectionOf } from './blocks.ts';

const MOST_CALLS = { screen: 50, comment: 100, page: 2000 } as const;
const MOST_ROWS = { screen: 40, comment: 100, page: 1000 } as const;

/** What a comparison comes to for clients, such as `3 of 41 calls break`. */
export function clientsHeading(clients: readonly HeldClient[]): string {
  const [only] = clients;
  if (only !== undefined && clients.length === 1) return clientWords(only);
  const broken = clients.filter(({ breaking }) => breaking.length > 0);
  if (broken.length === 0) return `No call of ${plural(clients.length, 'client')} is known to break`;
  return `Calls of ${broken.length} of ${plural(clients.length, 'client')} break: ${broken.map(({ name }) => name).join(', ')}`;
}

function clientWords({ calls, breaking, unknown }: HeldClient): string {
  const unsure = unknown.length === 0 ? '' : `, of ${unknown.length} it is unknown`;
  return breaking.length === 0
    ? `None of ${plural(calls, 'call')} is known to break${unsure}`
    : `${breaking.length} of ${plural(calls, 'call')} ${breaking.length === 1 ? 'breaks' : 'break'}${unsure}`;
}

/**
 * A comparison as clients meet it: the calls that break with what to do, then everything else that changed, folded.
 * @param others the sections of a comparison without clients
 */
export function clientSections(
  comparison: Comparison,
  clients: readonly HeldClient[],
  others: readonly Block[],
): Block[] {
  const met = new Set(
    clients.flatMap(({ breaking, unknown }) =>
      [...breaking, ...unknown].flatMap(({ changes }) => changes.map(({ cause }) => cause)),
    ),
  );
  const left = comparison.groups.filter(({ digest }) => !met.has(digest));
  const counts = CLASSES.map((name) => `${left.filter((one) => one.class === name).length} ${name}`);
  const summary = `What else changed and concerns none of these calls: ${plural(left.length, 'cause')} (${counts.join(', ')})`;
  return [
    ...(clients.length < 2 ? [] : tableOf(clients)),
    ...clients.flatMap((client, at) => clientSection(client, at)),
    { kind: 'text', to: 'screen', quiet: true, text: `${summary}; --out or --html lists them.` },
    { kind: 'details', from: 'comment', summary: `${summary}; all changes`, blocks: others },
  ];
}

function clientSection(client: HeldClient, at: number): Section[] {
  const { name, calls, breaking, unknown, refused } = client;
  const items = refused.map(({ call, why }): Item => ({ text: [{ text: call, as: 'code' }], notes: [why] }));
  return [
    ...sectionOf({
      id: `client-${at}`,
      way: [name, `${breaking.length} of ${calls}`],
      title: `${name}: ${clientWords(client)}`,
      tone: breaking.length > 0 ? 'breaking' : unknown.length > 0 ? 'unknown' : 'compatible',
      blocks: [
        listOf(breaking, 'breaking'),
        ...(unknown.length === 0
          ? []
          : [{ kind: 'text', quiet: true, text: 'Whether these notice is unknown:' } as const]),
        listOf(unknown, 'unknown'),
      ],
    }),
    ...sectionOf(
      {
        title: `${name}: ${plural(refused.length, 'call')} that the site refuses already before`,
        blocks: [{ kind: 'list', items, most: MOST_CALLS }],
      },
      refused.length > 0,
    ),
  ];
}

function listOf(calls: readonly HeldCall[], tone: 'breaking' | 'unknown'): Block {
  return {
    kind: 'list',
    most: MOST_CALLS,
    items: calls.map(({ call, changes }) => ({
      text: [{ text: call, as: 'code' }],
      tone,
      blocks: [
        {
          kind: 'list',
          items: saidOnce(changes).map((text) => ({ text })),
        },
      ],
    })),
  };
}

/** Several changes may be the same to a call, or differ in the members that they name: they are said once. */
function saidOnce(changes: readonly HeldChange[]): string[] {
  const alike = Map.groupBy(changes, ({ says, instead }) => `${says.split(': ', 1)[0]}. ${instead}`);
  return [...alike.values()].map((all) => {
    const [{ says, instead } = { says: '', instead: '' }] = all;
    const [head = ''] = says.split(': ', 1);
    const tails = new Set(all.flatMap((one) => one.says.slice(head.length + 2).split(', ')));
    const named = [...tails].filter((tail) => tail !== '').join(', ');
    return `${named === '' ? head : `${head}: ${named}`}. ${instead}`;
  });
}

/** Which client meets which change, and in how many of its calls. */
function tableOf(clients: readonly HeldClient[]): Section[] {
  const counts = clients.map(({ breaking, unknown }) => {
    const own = new Map<string, number>();
    for (const { changes } of [...breaking, ...unknown]) {
      for (const { says: words } of new Map(changes.map((one) => [one.says, one])).values()) {
        own.set(words, (own.get(words) ?? 0) + 1);
      }
    }
    return own;
  });
  const says = [...new Set(counts.flatMap((own) => [...own.keys()]))];
  return sectionOf(
    {
      id: 'clients',
      title: 'Clients by change',
      blocks: [
        {
          kind: 'table',
          label: 'How many calls of each client meet a change',
          columns: [
            { title: 'change' },
            ...clients.map(({ name }) => ({ title: name, align: 'right' as const })),
          ],
          rows: says.map((words) => ({
            cells: [words, ...counts.map((own) => String(own.get(words) ?? ''))],
          })),
          most: MOST_ROWS,
        },
      ],
    },
    says.length > 0,
  );
}
