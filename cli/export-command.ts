import { existsSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { readBase, showBase } from '../client/address.ts';
import { jsonSchemaDocument, jsonSchemaFile, jsonSchemas } from '../exports/json-schema.ts';
import { toOpenApi } from '../exports/openapi/document.ts';
import type { Part } from '../exports/part.ts';
import { print } from '../reports/print.ts';
import { plural } from '../reports/text.ts';
import { loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { UsageError } from './usage-error.ts';
import { writeOutput } from './write-output.ts';

/** The formats of `export`. */
export const EXPORT_FORMATS = ['openapi', 'jsonschema'] as const;

/** The options of `export`. */
export interface ExportOptions {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly deployment: string;
  readonly vocabulary: string;
  /** The base address that the document names. */
  readonly target?: string;
  /** The path under which the site serves routes as they are. */
  readonly pretty?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/**
 * The command `export`: the contract for other tools, on standard output, in a file, or in a folder. @returns the exit code
 * @throws UsageError for options that contradict each other, and where something is there already; SpecError for a
 *   deployment or a vocabulary that cannot be used
 */
export function exportCommand(options: ExportOptions): number {
  const { format, out } = options;
  if (format === 'jsonschema' && (options.target !== undefined || options.pretty !== undefined)) {
    throw new UsageError(
      '--target and --pretty say where routes are, which --format jsonschema does not: leave them out',
    );
  }
  const contract = loadContract(options);
  const files = filesOf(contract, options, out !== undefined && isFolder(out));
  if (out === undefined) {
    for (const { document } of files) print(process.stdout, textOf(document), Number.POSITIVE_INFINITY);
    return 0;
  }
  const paths = files.map(({ name, document }) => ({
    path: resolve(isFolder(out) ? join(out, name) : out),
    document,
  }));
  const taken = paths.find(({ path }) => existsSync(path));
  if (taken !== undefined && options.force !== true) {
    throw new UsageError(
      `--out ${out}: ${taken.path} is there already; name another, or add --force to replace it`,
    );
  }
  for (const { path, document } of paths) writeOutput(path, textOf(document));
  const { operations, digest, deployment } = contract;
  print(
    process.stdout,
    `${plural(operations.length, 'operation')} of ${deployment} as ${format} in ${out}${paths.length === 1 ? '' : ` (${paths.length} files)`}, contract ${digest}\n`,
  );
  return 0;
}

interface ExportedFile {
  readonly name: string;
  readonly document: Part;
}

function filesOf(
  contract: Contract,
  { format, target, pretty }: ExportOptions,
  apart: boolean,
): ExportedFile[] {
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

/** @throws UsageError for what is no path of segments */
function prefixOf(text: string): string {
  const prefix = text.replaceAll(/^\/+|\/+$/g, '');
  if (/^[\w.~-]+(\/[\w.~-]+)*$/.test(prefix)) return prefix;
  throw new UsageError(
    `--pretty ${text}: expected the path below which the site serves routes, such as wp-json`,
  );
}

function isFolder(out: string): boolean {
  return out.endsWith('/') || out.endsWith(sep) || (existsSync(out) && statSync(out).isDirectory());
}

function textOf(document: Part): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
