import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lexer } from 'marked';
import { isJson } from '../../../client/json.ts';
import { serveMutant } from '../../../sites/alterations/catalogue.ts';
import type { Served } from '../../../sites/reference/serve.ts';
import { readRenaming, renamedSite } from '../../../sites/renamed-site.fixture.ts';
import { ROOT } from '../../../tests/project-files.ts';
import { examplesIn } from '../../package/examples.ts';
import { freePort } from '../../wordpress/start-site.ts';
import type { Page } from './pages.fixture.ts';
import type { Played, Script } from './play.fixture.ts';

interface Fence {
  readonly language: string;
  /** The line of the opening mark, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const FENCE = /^( *)```([^\n]*)\n(.*?)^\1```$/gms;

/** The code blocks of a Markdown text, also inside lists. */
export function fencesIn(markdown: string): Fence[] {
  return [...markdown.matchAll(FENCE)].map((found) => {
    const [, indent = '', language = '', text = ''] = found;
    const line = markdown.slice(0, found.index).split('\n').length;
    return { language, line, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

/** The first word of each command in a shell block, without environment settings. */
function programsIn(script: string): string[] {
  const whole = script.replaceAll('\\\n', ' ');
  let open = '';
  const programs: string[] = [];
  for (const line of whole.split('\n')) {
    const starts = open === '';
    for (const [sign] of line.matchAll(/["']/g)) {
      if (open === '') open = sign;
      else if (open === sign) open = '';
    }
    const [, program] = /^ *(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|\S*) +)*([^\s#]\S*)/.exec(line) ?? [];
    if (starts && program !== undefined) programs.push(program);
  }
  return programs;
}

interface Format {
  readonly name: string;
  readonly asked: RegExp;
  readonly takes: (text: string) => boolean;
}

const FORMATS: readonly Format[] = [
  { name: 'JSON', asked: / (?:--json\b|json=-)/, takes: isJson },
  {
    name: 'Markdown',
    asked: / (?:--markdown\b|markdown=-)/,
    takes: (text) => lexer(text)[0]?.type === 'heading',
  },
  {
    name: 'commands to GitHub',
    asked: / --reporter[= ]github(?!=[^-])/,
    takes: (text) =>
      text
        .trimEnd()
        .split('\n')
        .every((line) => line === '' || line.startsWith('::')),
  },
];

/** The machine-readable format that a command prints; undefined for text. */
function printedFormat(command: string): Format | undefined {
  return FORMATS.find(({ asked }) => asked.test(command));
}

/** Whether npm, which prints lines of its own first, runs the program while another reads the output. */
export function isUnclean(line: string): boolean {
  const [, command = ''] = /npm (?:--prefix \S+ )?start\b(.*)/.exec(line) ?? [];
  return printedFormat(command) !== undefined || /\s(?:\||>>?)\s/.test(command);
}

type Site = Pick<Served, 'url' | 'user' | 'password' | 'close'>;

interface World {
  readonly folder: string;
  fill(text: string): string;
  envOf(text: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const HOST = String.raw`(?:staging|site|www|blog|shop)\.example(?:\.org)?`;
/** Keeps waivers in documents from expiring. */
const DAYS_AHEAD = 30;

/** Creates the sites and files for a page. @param markdown the document, whose JSON blocks are files */
async function makeWorld(page: Page, folder: string, markdown: string): Promise<World> {
  const json = fencesIn(markdown).filter(({ language }) => language === 'json');
  const files = Object.entries(page.files ?? {});
  mkdirSync(folder, { recursive: true });
  for (const [name, at] of files) writeFileSync(join(folder, name), json[at]?.text ?? '');
  for (const { name, text } of examplesIn(markdown)) writeFileSync(join(folder, name), text);

  const { deployment, mutant = undefined } =
    typeof page.site === 'object' ? page.site : { deployment: 'core' };
  const site: Site = await serveMutant({
    deployment: deployment.endsWith('.json') ? join(folder, deployment) : deployment,
    ...(mutant !== undefined && { mutant }),
  });
  // A page's own site uses neutral words.
  const other =
    typeof page.site !== 'object' ? await renamedSite('core', readRenaming('wordpress')) : undefined;
  const port = await freePort();
  const day = new Date(Date.now() + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);

  const siteOf = (text: string): Site =>
    other !== undefined && (page.site !== undefined || text.includes('--vocabulary wordpress'))
      ? other
      : site;
  const fill = (text: string): string => {
    const { url, user, password } = siteOf(text);
    return (
      text
        .replaceAll(new RegExp(`https://${HOST}/?`, 'g'), url)
        .replaceAll(/http:\/\/127\.0\.0\.1:80\d\d/g, url)
        .replaceAll(/--port 80\d\d/g, `--port ${port}`)
        .replaceAll(/--user [\w-]+/g, `--user ${user}`)
        .replaceAll(/"user": "[^"]+"/g, `"user": "${user}"`)
        .replaceAll(/SITE_CONFORMANCE_PASSWORD=(?:'[^']*'|\w+)/g, `SITE_CONFORMANCE_PASSWORD='${password}'`)
        .replaceAll(new RegExp(`(--confirm-host |"confirmHost": ")${HOST}`, 'g'), '$1127.0.0.1')
        // Tests of certificates check the levels; a certificate is made in the same way for each.
        .replaceAll(/(--certify|--require) (?:read|write)/g, '$1 index')
        .replaceAll(/--expires \d{4}-\d\d-\d\d/g, `--expires ${day}`)
        .replaceAll(
          /(reports\/out\/)certificate-[\w…-]+/g,
          (_, out: string) => `${out}${certificateIn(folder)}`,
        )
        .replaceAll('--vocabulary wordpress', other === undefined ? '--vocabulary neutral' : '$&')
    );
  };
  for (const [name, at] of files) writeFileSync(join(folder, name), fill(json[at]?.text ?? ''));

  return {
    folder,
    fill,
    envOf(text) {
      const { url, password } = siteOf(text);
      const secrets = { SITE_CONFORMANCE_PASSWORD: password, SHOP_PASSWORD: password };
      return { HOME: folder, SITE: url, ...secrets, ...page.env };
    },
    async close() {
      await Promise.all([site.close(), other?.close()]);
    },
  };
}

function certificateIn(folder: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (path) => /(?:^|\/)(certificate-[\w-]+)$/.exec(path)?.[1],
  );
  return found.findLast((name) => name !== undefined) ?? 'certificate-RUN';
}

/** Shell syntax, and programs on every machine. */
const OF_THE_SHELL = /^(?:\[|rm|cp|mv|mkdir|echo|touch|if|for|done|exit|source)$/;
const MOST_SHOWN = 1500;

/** Runs the commands of documents, as a reader would who copies them. */
export class Reader {
  readonly #scratch: string = mkdtempSync(join(tmpdir(), 'site-conformance-documents-'));
  readonly #player: ChildProcess = fork(join(import.meta.dirname, 'play.fixture.ts'), {
    env: { ...process.env, PLAY_SCRATCH: this.#scratch },
    // Commands for contributors name files of the project.
    cwd: ROOT,
  });

  /** Runs the commands of a document. @returns differences from the page, in words */
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

  /** Ends the process that runs the commands, and removes its files. */
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
