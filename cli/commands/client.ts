import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { readBase } from '../../client/address.ts';
import { readIndex } from '../../client/site-index.ts';
import { reduceRecording } from '../../compare/clients/reduce.ts';
import type { ClientFile } from '../../compare/clients/uses.ts';
import { readSide } from '../../compare/side.ts';
import { formatDuration, grouped, plural } from '../../engine/text.ts';
import { jsonText } from '../../reports/files.ts';
import { note, say } from '../../reports/print.ts';
import { showLine } from '../../reports/show-line.ts';
import { UsageError } from '../../specs/validators.ts';
import type { CommandContext } from '../read-options.ts';
import { guardFree, writeOutput } from '../shell/output.ts';

/** Adds the command `client`. */
export default function defineClient(program: Command, { ends }: CommandContext): void {
  program
    .command('client')
    .description('what a client uses of a site, for --as-client')
    .command('make')
    .description('reduce a recording to it: a HAR, access log, OpenAPI document or Pact, also in gzip')
    .argument('<recording>', 'the file')
    .requiredOption('-o, --out <file>', 'the file, such as app.client.json')
    .option('--index <path>', 'a snapshot or run of the site: its index knows more routes than the contract')
    .option('--site <url>', 'the site in the recording; the host with the most calls unless given')
    .option('--force', 'replace the file if it exists')
    .action(async (recording, options) => ends(await makeClient(recording, options)));
}

interface MakeOptions {
  readonly out: string;
  readonly index?: string;
  readonly site?: string;
  readonly force?: boolean;
}

async function makeClient(recording: string, { out, index, site, force }: MakeOptions): Promise<number> {
  guardFree(out, force);
  const document = index === undefined ? undefined : readSide(index).index;
  if (index !== undefined && document === undefined) throw new UsageError(`--index ${index}: holds no index`);
  // The garbage of a line is short-lived, and a growing semi-space would be most of the memory.
  setFlagsFromString('--semi-space-growth-factor=1');
  const reduction = await withProgress(recording, (heard) =>
    reduceRecording(recording, {
      heard,
      ...(document !== undefined && { index: readIndex(document, '') }),
      ...(site !== undefined && { site: readBase(site) }),
    }),
  );
  const { uses, host, left } = reduction;
  for (const [why, count] of left) note(`left out: ${grouped(count)} ${why}`);
  if (uses.length === 0) {
    note(`${recording} holds no call of the interface: nothing is written`);
    return 3;
  }
  const file: ClientFile = { format: 1, kind: 'client', uses };
  writeOutput(out, jsonText(file));
  const unknown = uses.filter(({ members }) => members === 'unknown').length;
  const routes = new Set(uses.map(({ route }) => route)).size;
  say(
    `${plural(uses.length, 'call')} of ${plural(routes, 'route')}${host === undefined ? '' : ` of ${host}`} in ${out}${unknown === 0 ? '' : `; what ${unknown} of them read is unknown, and counts as everything`}`,
  );
  return 0;
}

/** Seconds until the remaining time can be estimated. */
const SURE = 2;

async function withProgress<T>(
  path: string,
  read: (heard: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (!process.stderr.isTTY) return read(() => undefined);
  let done = 0;
  const line = showLine({
    stream: process.stderr,
    label: 'reading',
    words(seconds) {
      const left = done === 0 ? 0 : Math.ceil((seconds * (size - done)) / done);
      const about = seconds < SURE || left < 1 ? '' : `  about ${formatDuration(left)} left`;
      return `${Math.floor((100 * done) / Math.max(1, size))} %${about}`;
    },
    share: () => done / Math.max(1, size),
  });
  try {
    return await read((bytes) => {
      done = Math.min(bytes, size);
      line.update();
    });
  } finally {
    line.stop();
  }
}
