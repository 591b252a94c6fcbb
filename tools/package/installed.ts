import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How a program of the installed package ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An installed package, run by one Node. */
export class Installed {
  readonly home: string;
  readonly #node: string;

  constructor(home: string, node: string) {
    this.home = home;
    this.#node = node;
  }

  /** Runs a program of `node_modules/.bin` as a shell would. @param folder the folder of the caller */
  bin(name: string, args: readonly string[], folder: string = this.home): Promise<Ended> {
    return this.#run(join(this.home, 'node_modules/.bin', name), args, folder);
  }

  node(args: readonly string[]): Promise<Ended> {
    return this.#run(this.#node, args, this.home);
  }

  async #run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
    // Without the settings of npm and vitest for this process.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(?:npm_|INIT_CWD|VITEST|SITE_CONFORMANCE_)/i.test(name),
      ),
    );
    const path = [dirname(this.#node), process.env.PATH].join(delimiter);
    const child = spawn(program, args, { cwd, env: { ...env, PATH: path, NO_COLOR: '1' } });
    child.stdin.end();
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  }
}

/** The programs in a document with a name, as in `// check.ts`. */
export function examplesIn(document: string): Readonly<Record<'name' | 'text', string>>[] {
  return [...document.matchAll(/^```ts\n(\/\/ ([\w.-]+\.ts)\n.*?)^```/gms)].map(
    ([, text = '', name = '']) => ({ name, text }),
  );
}
