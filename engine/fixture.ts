import type { Session } from './session.ts';

/** Something that is made once in a run, by whichever check needs it first. */
export type Fixture<T, Subject extends readonly unknown[] = []> = (
  session: Session,
  ...subject: Subject
) => Promise<T>;

/** What was made of one subject, and of the subjects that begin with the same parts. */
interface Cell<T> {
  made?: Promise<T>;
  readonly next: Map<unknown, Cell<T>>;
}

/**
 * A fixture: what its function makes of a subject is made once for each memory of a run, a failure too. The fixture itself is
 * the key, so that nothing can be found under another type.
 * @param name for readers and recordings; `{}` stands for a part of the subject, in their order
 * @param by the parts that tell subjects apart: objects by what they are, texts and numbers by their value; all unless given
 */
export function fixture<T, Subject extends readonly unknown[] = []>(
  name: string,
  make: (session: Session, ...subject: Subject) => Promise<T>,
  by: (...subject: Subject) => readonly unknown[] = (...subject) => subject,
): Fixture<T, Subject> {
  const memories = new WeakMap<object, Cell<T>>();
  return (session, ...subject) => {
    const { memory, watch } = session;
    const key = by(...subject);
    let cell: Cell<T> = memories.get(memory) ?? { next: new Map() };
    memories.set(memory, cell);
    for (const part of key) {
      const next: Cell<T> = cell.next.get(part) ?? { next: new Map() };
      cell.next.set(part, next);
      cell = next;
    }
    if (watch === undefined) {
      cell.made ??= make(session, ...subject);
      return cell.made;
    }
    const full = nameOf(name, key);
    cell.made ??= watch.make(full, () => make(session, ...subject));
    return watch.use(full, cell.made);
  };
}

/** The name of a fixture of one subject; parts that have neither a text nor an id are left out. */
function nameOf(name: string, key: readonly unknown[]): string {
  const words = key.flatMap((part) => wordOf(part) ?? []);
  const filled = name.replaceAll('{}', () => words.shift() ?? '');
  return [filled, ...words].join(' ');
}

function wordOf(part: unknown): string | undefined {
  if (typeof part === 'string' || typeof part === 'number') return String(part);
  if (typeof part !== 'object' || part === null || !('id' in part)) return undefined;
  return String(part.id);
}
