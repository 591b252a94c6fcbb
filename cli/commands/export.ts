import { join, resolve, sep } from 'node:path';
import { type Command, Option } from 'commander';
import { readBase, showBase } from '../../client/address.ts';
import { defined } from '../../client/json.ts';
import { isFolder } from '../../compare/side.ts';
import { plural } from '../../engine/text.ts';
import { jsonText } from '../../reports/files.ts';
import { note, say } from '../../reports/print.ts';
import { type ContractOptions, loadContract } from '../../specs/contract.ts';
import { jsonSchemaDocument, jsonSchemaFile, jsonSchemas } from '../../specs/exports/json-schema.ts';
import { toOpenApi } from '../../specs/exports/openapi.ts';
import type { Part } from '../../specs/exports/plain-schema.ts';
import type { Contract } from '../../specs/model.ts';
import { UsageError } from '../../specs/validators.ts';
import type { CommandContext } from '../read-options.ts';
import { composeTargets } from '../run/compose-target.ts';
import { resolveTargets } from '../run/configure.ts';
import { guardFree, printJson, writeOutput } from '../shell/output.ts';

const EXPORT_FORMATS = ['openapi', 'jsonschema'] as const;

interface ExportOptions {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly deployment: string;
  readonly vocabulary?: string;
  readonly target?: string;
  /** The path below which the site serves pretty addresses. */
  readonly pretty?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/** Adds the command `export`. */
export default function defineExport(program: Command, { ends }: CommandContext): void {
  program
    .command('export')
    .description('the contract for other tools: OpenAPI 3.1, or JSON Schema')
    .addOption(
      new Option('--format <format>', 'what is written').choices(EXPORT_FORMATS).makeOptionMandatory(),
    )
    .option('--deployment <name>', 'core, a, b, auto (what the site serves), or a file', 'core')
    .option('--vocabulary <name>', 'neutral, wordpress, auto, or the path of a vocabulary file')
    .option('--target <url>', 'the base address that the document names')
    .option('--pretty <path>', 'routes are below this path, such as wp-json (else in the query)')
    .option('--out <file>', 'a file, or a folder with a file for each schema (standard output unless given)')
    .option('--force', 'replace existing files')
    .action(async (options) => ends(await exportCommand(options)));
}

async function exportCommand(options: ExportOptions): Promise<number> {
  const { format, out } = options;
  if (format === 'jsonschema' && options.pretty !== undefined) {
    throw new UsageError('--pretty says where routes are, which --format jsonschema does not: leave it out');
  }
  const contract = loadContract(await chosenBy(options));
  const files = filesOf(contract, options, out !== undefined && namesFolder(out));
  if (out === undefined) {
    for (const { document } of files) printJson(document);
    return 0;
  }
  const paths = files.map(({ name, document }) => ({
    path: resolve(namesFolder(out) ? join(out, name) : out),
    document,
  }));
  for (const { path } of paths) guardFree(path, options.force);
  for (const { path, document } of paths) writeOutput(path, jsonText(document));
  const { operations, digest, deployment } = contract;
  say(
    `${plural(operations.length, 'operation')} of ${deployment} as ${format} in ${out}${paths.length === 1 ? '' : ` (${paths.length} files)`}, contract ${digest}`,
  );
  return 0;
}

async function chosenBy({ deployment, vocabulary, target }: ExportOptions): Promise<ContractOptions> {
  const settings = defined({ deployment, vocabulary, target });
  // A request is only needed for what is detected from the site.
  const targets = resolveTargets(settings, {}, process.env).map((one) => ({ ...one, vocabularyOpen: false }));
  const [chosen] = await composeTargets(targets, note);
  if (chosen === undefined) throw new UsageError('--deployment names nothing to export');
  return chosen;
}

function filesOf(
  contract: Contract,
  { format, target, pretty }: ExportOptions,
  apart: boolean,
): { name: string; document: Part }[] {
  if (format === 'openapi') {
    const base = target === undefined ? undefined : showBase(readBase(target));
    const prefix = pretty === undefined ? undefined : prefixOf(pretty);
    return [{ name: 'openapi.json', document: toOpenApi(contract, { base, pretty: prefix }) }];
  }
  if (!apart) return [{ name: 'contract.schema.json', document: jsonSchemaDocument(contract) }];
  return Object.entries(jsonSchemas(contract)).map(([name, schema]) => ({
    name: `${name}.schema.json`,
    document: jsonSchemaFile(schema),
  }));
}

function prefixOf(text: string): string {
  const prefix = text.replaceAll(/^\/+|\/+$/g, '');
  if (/^[\w.~-]+(\/[\w.~-]+)*$/.test(prefix)) return prefix;
  throw new UsageError(
    `--pretty ${text}: expected the path below which the site serves routes, such as wp-json`,
  );
}

function namesFolder(out: string): boolean {
  return out.endsWith('/') || out.endsWith(sep) || isFolder(out);
}
