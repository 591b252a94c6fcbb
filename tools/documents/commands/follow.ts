import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../tests/project-files.ts';
import { fencesIn, programsIn } from './fences.ts';
import { printedFormat } from './formats.ts';
import type { Page } from './pages.ts';
import type { Played, Script } from './play.ts';
import { makeWorld } from './world.ts';

/** Parts of the shell, and what it has on every machine. */
const OF_THE_SHELL = /^(?:\[|rm|cp|mv|mkdir|echo|touch|if|for|done|exit|source)$/;
const MOST_SHOWN = 1500;

/** Follows documents as a reader does who copies each command. */
export class Reader {
  readonly #scratch: string = mkdtempSync(join(tmpdir(), 'site-conformance-documents-'));
  readonly #player: ChildProcess = fork(join(import.meta.dirname, 'play.ts'), {
    env: { ...process.env, PLAY_SCRATCH: this.#scratch },
    // Commands for those who work on the project name its files.
    cwd: ROOT,
  });

  /** Runs the commands of a document. @returns what went otherwise than the page says, in words */
  async follow(page: Page, markdown: string): Promise<string[]> {
    const home = mkdtempSync(join(this.#scratch, 'page-'));
    const world = await makeWorld(page, join(home, 'work'), markdown);
    const run = (text: string): Promise<Played> =>
      this.#play({
        text: world.fill(text),
        folder: world.folder,
        env: world.envOf(text),
        until: page.until ?? {},
      });
    const texts = fencesIn(markdown).flatMap(({ language, text }) => (language === 'text' ? [text] : []));
    const due = new Map(Object.entries(page.given ?? {}));
    const unseen = new Set(Object.values(page.shows ?? {}).flat());
    const wrong: string[] = [];
    cpSync(world.folder, join(home, 'fresh'), { recursive: true });
    try {
      for (const { language, text, line } of fencesIn(markdown)) {
        if (language !== 'sh' || Object.keys(page.elsewhere ?? {}).some((part) => text.includes(part)))
          continue;
        if (page.apart === true) {
          rmSync(world.folder, { recursive: true });
          cpSync(join(home, 'fresh'), world.folder, { recursive: true });
        }
        const given = [...due].filter(([part]) => text.includes(part));
        for (const [part] of given) due.delete(part);
        for (const script of [...given.map(([, before]) => before), text]) {
          const played = await run(script);
          wrong.push(...faultsOf(played, page, script).map((fault) => `line ${line}: ${fault}`));
          for (const shape of shownBy(played, page)) unseen.delete(shape);
        }
      }
    } finally {
      await world.close();
    }
    for (const shape of Object.values(page.shows ?? {}).flat()) {
      if (!texts.some((text) => shape.test(text))) wrong.push(`the page shows nothing like ${shape}`);
    }
    return [
      ...wrong,
      ...[...due.keys()].map((part) => `no command has the text "${part}"`),
      ...[...unseen].map((shape) => `no command printed anything like ${shape}`),
    ];
  }

  /** Ends the process that runs the commands, and removes what they made. */
  close(): void {
    this.#player.kill();
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #play(script: Script): Promise<Played> {
    this.#player.send(script);
    const ended = new AbortController();
    const [played]: Played[] = await Promise.race([
      once(this.#player, 'message', ended),
      once(this.#player, 'exit', ended).then(([code]) => {
        throw new Error(`the process that runs the commands has ended with exit code ${code}`);
      }),
    ]).finally(() => ended.abort());
    if (played === undefined) throw new Error('the player reported nothing');
    return played;
  }
}

/** The shapes that a page promises and these commands printed. */
function shownBy({ calls }: Played, { shows = {} }: Page): RegExp[] {
  return Object.entries(shows).flatMap(([part, shapes]) =>
    shapes.filter((shape) =>
      calls.some((one) => one.command.includes(part) && shape.test(`${one.stdout}\n${one.stderr}`)),
    ),
  );
}

function faultsOf({ calls, stderr }: Played, { codes = {} }: Page, text: string): string[] {
  const expected = (command: string): number =>
    Object.entries(codes).findLast(([part]) => command.includes(part))?.[1] ?? 0;
  const wrong = calls
    .filter(({ command, code }) => code !== expected(command))
    .map((was) => `${was.command}\nexit code ${was.code}\n${was.stderr.slice(-MOST_SHOWN)}`);
  const unreadable = calls.flatMap(({ command, stdout }) => {
    const format = printedFormat(command);
    return format === undefined || format.takes(stdout) ? [] : [`${command}\nprints no ${format.name}`];
  });
  const programs = programsIn(text).filter((program) => !OF_THE_SHELL.test(program));
  const inShell = text.match(/^node -e/gm)?.length ?? 0;
  const silent = programs.length - inShell > calls.length;
  return [
    ...wrong,
    ...unreadable,
    ...(silent
      ? [`only ${calls.length} of ${programs.length} commands were called: ${programs.join(', ')}`]
      : []),
    ...(/^.*(?:command not found|No such file|syntax error|unexpected EOF).*$/m.exec(stderr) ?? []),
  ];
}
