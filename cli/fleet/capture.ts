import { Writable } from 'node:stream';

/** Enough for every finding of a run; what is printed is bounded anyway. */
const MOST_CHARACTERS = 2_000_000;

/** What this process prints, while it is kept from the terminal. */
interface Captured {
  /** Adds to what was printed. */
  add(text: string): void;
  /** What was printed, both streams in the order of writing. */
  text(): string;
  /** Prints to the terminal again. */
  end(): void;
}

/** Keeps what this process prints, in place of printing it. */
export function capture(): Captured {
  const chunks: string[] = [];
  let size = 0;
  const add = (text: string): void => {
    if (size <= MOST_CHARACTERS) chunks.push(text);
    size += text.length;
  };
  const names = ['stdout', 'stderr'] as const;
  const earlier = names.map((name) => Object.getOwnPropertyDescriptor(process, name));
  for (const name of names) {
    const value = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        add(String(chunk));
        done();
      },
    });
    Object.defineProperty(process, name, { value, configurable: true });
  }
  return {
    add,
    text: () => chunks.join(''),
    end() {
      for (const [at, name] of names.entries()) {
        const before = earlier[at];
        if (before !== undefined) Object.defineProperty(process, name, before);
      }
    },
  };
}
