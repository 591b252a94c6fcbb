import type { Contract, Operation } from '../../reference/contract.ts';
import { isObject, type Json } from '../../reference/json.ts';
import { handling, healthy, isOwnWrite, turningArgs } from '../toolkit/handling.ts';
import { type Mutant, mutant } from './mutant.ts';

/** Mutants of writes that store a text or a date other than it was written, or beside what was there. */
export function damageMutants({ operations }: Contract): Mutant[] {
  return operations.filter(isOwnWrite).flatMap((operation) => {
    const { id, role, parameters } = operation;
    const names = Object.keys(parameters.properties);
    if (role === 'create') {
      return names.flatMap((name) => (TEXTS[name] ?? []).map((how) => damaged(id, name, how)));
    }
    return [
      ...['date', 'date_gmt'].filter((name) => names.includes(name)).map((name) => withoutOffset(id, name)),
      ...['categories', 'tags'].filter((name) => names.includes(name)).map((name) => added(operation, name)),
    ];
  });
}

/** What becomes of a text. */
const DAMAGE: Readonly<Record<string, (text: string) => string>> = {
  'question-marks': (text) => text.replace(/[^\t\n -~]/g, '?'),
  'decoded-wrongly': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'no-backslashes': (text) => text.replaceAll('\\', ''),
  'doubled-quotes': (text) => text.replaceAll("'", "''"),
  'one-line': (text) => text.replaceAll('\n', ' '),
  'cut-at-255': (text) => text.slice(0, 255),
};

const SHORT = ['question-marks', 'decoded-wrongly', 'no-backslashes', 'doubled-quotes'];
const LONG = [...SHORT, 'one-line', 'cut-at-255'];

/** What can become of each text; of the alternative one real software drops more. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  title: SHORT,
  content: LONG,
  excerpt: LONG,
  caption: LONG,
  description: LONG,
  alt_text: ['question-marks', 'decoded-wrongly'],
};

function damaged(id: string, name: string, how: string): Mutant {
  const damage = DAMAGE[how] ?? String;
  return mutant(
    `${id}/${name}/stored`,
    how,
    `${id} damages ${name}: ${how}`,
    turningArgs(id, (args) => {
      const value = args[name];
      if (typeof value === 'string') return { ...args, [name]: damage(value) };
      if (!isObject(value) || typeof value.raw !== 'string') return args;
      return { ...args, [name]: { ...value, raw: damage(value.raw) } };
    }),
  );
}

function withoutOffset(id: string, name: string): Mutant {
  return mutant(
    `${id}/${name}/stored/POST`,
    'no-offset',
    `${id} by POST leaves out the offset that ${name} names`,
    turningArgs(id, (args, { request }) => {
      const value = args[name];
      if (request.method !== 'POST' || typeof value !== 'string') return args;
      return { ...args, [name]: value.replace(/[+-]\d\d:\d\d$/, '') };
    }),
  );
}

function added({ id, resource }: Operation, name: string): Mutant {
  return mutant(
    `${id}/${name}/stored/POST`,
    'added',
    `${id} by POST adds ${name} to those that the record has`,
    handling(id, (call) => {
      const stored = call.site.store.get(Number(call.args.id), resource?.id);
      const before: Json[] = (name === 'tags' ? stored?.tags : stored?.categories) ?? [];
      const value = call.args[name];
      const isAdding = call.request.method === 'POST' && Array.isArray(value) && value.length > 0;
      return healthy(isAdding ? { ...call, args: { ...call.args, [name]: [...before, ...value] } } : call);
    }),
  );
}
