import { main } from '../../../cli/main.ts';

/** How a program ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a program runs. */
interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What is printed when it is time for Ctrl-C, of a command that ends with nothing else. */
  readonly until: string | undefined;
}

/** One operation is enough to see that a run comes to its end. */
const NARROW = ['--only', 'posts.list/per_page/**'];
/** What decides by itself which checks run. */
const DECIDES = /^--(?:only|certify|replay|rerun)(?:=|$)/;

/** Runs the command line in this process, in another folder and environment, and keeps what it prints. */
export async function runMain(args: readonly string[], { folder, env, until }: Place): Promise<Ended> {
  const before = { folder: process.cwd(), env: { ...process.env } };
  const texts = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const writes = streams.map((name) => process[name].write);
  let told = false;
  for (const name of streams) {
    process[name].write = (text: string | Uint8Array): boolean => {
      texts[name] += String(text);
      if (until !== undefined && !told && texts.stdout.includes(until)) {
        told = true;
        setImmediate(() => process.emit('SIGINT'));
      }
      return true;
    };
  }
  try {
    process.chdir(folder);
    Object.assign(process.env, env);
    const code = await main(narrowed(args));
    return { code, ...texts };
  } finally {
    process.chdir(before.folder);
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    for (const [at, name] of streams.entries()) {
      const write = writes[at];
      if (write !== undefined) process[name].write = write;
    }
  }
}

/** The arguments of a run with one operation of the site to check, unless they choose themselves. */
function narrowed(args: readonly string[]): readonly string[] {
  const isRun =
    args[0] === undefined || args[0] === 'run' || args[0].startsWith('-') || args[0].includes('://');
  return isRun && !args.includes('--help') && !args.some((arg) => DECIDES.test(arg))
    ? [...args, ...NARROW]
    : args;
}
