import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readBase } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { asObject, digestOfJson } from '../../client/json.ts';
import { redactJson } from '../../client/redact.ts';
import { findIndex } from '../../client/site-index.ts';
import { looksLike } from '../../compare/declared/known-versions.ts';
import { surfaceOf } from '../../compare/declared/surface.ts';
import type { Snapshot } from '../../compare/side.ts';
import { plural } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import { note, say } from '../../reports/print.ts';
import { aboveZero } from '../options.ts';
import { type CommandContext, optionFor } from '../read-options.ts';
import { guardFree, writeOutput } from '../shell/output.ts';
import { INSECURE, readHeaders } from '../shell/read-headers.ts';

/** Adds the command `snapshot`. */
export default function defineSnapshot(program: Command, { ends }: CommandContext): void {
  program
    .command('snapshot')
    .description('keep the index of a site in a file, to compare it later; one request')
    .requiredOption('--target <url>', 'the base address of a site')
    .option('--header <header...>', "headers for the request, each as 'Name: value'")
    .addOption(optionFor('insecure'))
    .option('--timeout <seconds>', 'seconds for one exchange', aboveZero, 30)
    .option('--out <file>', 'the file', 'snapshot.json')
    .option('--force', 'replace the file if it exists')
    .action(async (options) => ends(await snapshotCommand(options)));
}

interface SnapshotOptions {
  readonly target: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly timeout: number;
  readonly out: string;
  readonly force?: boolean;
}

/** Sends one request, without credentials unless headers contain some. */
async function snapshotCommand(options: SnapshotOptions): Promise<number> {
  const path = resolve(options.out);
  guardFree(path, options.force);
  if (options.insecure === true) note(INSECURE);
  await using client = new Client({
    base: readBase(options.target),
    mode: 'read',
    headers: readHeaders(options.header ?? []),
    insecure: options.insecure,
    concurrency: 1,
    timeout: options.timeout,
  });
  const { index } = await findIndex(client);
  const document = asObject(redactJson(index.document, client.redact)) ?? {};
  const snapshot: Snapshot = {
    format: 1,
    kind: 'snapshot',
    tool: productTool(),
    target: { url: client.redact(options.target) },
    taken: new Date().toISOString(),
    digest: index.digest,
    index: document,
    content: digestOfJson(document),
  };
  writeOutput(path, `${JSON.stringify(snapshot)}\n`);
  const { namespaces, routes } = index;
  say(
    `${plural(namespaces.length, 'namespace')} and ${plural(routes.length, 'route')} of ${snapshot.target.url} in ${options.out}`,
  );
  const guess = looksLike(surfaceOf(document, snapshot.target.url));
  if (guess !== undefined) say(`it looks like ${guess}`);
  return 0;
}
