import { renderCommands } from '../../cli/commands/help.ts';
import { commandLine } from '../../cli/main.ts';
import { OPTIONS } from '../../cli/options.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { loadContract } from '../../specs/contract.ts';
import { foldReleases, includesLevel, LEVELS, readReleaseFiles } from '../../specs/releases.ts';
import rules from '../../specs/texts/lint-rules.json' with { type: 'json' };
import { allChecks } from '../../suites/all-checks.ts';
import { coverageOf } from '../../suites/coverage/coverage.ts';

const DEPLOYMENTS = ['core', 'a', 'b'];

/** The generated parts of documents, by the names of their marks. */
const GENERATED: Readonly<Record<string, () => string>> = {
  commands: () => renderCommands(program),
  coverage,
  lint,
  releases,
};

/** The schema of a configuration file. Its settings come from the table of options. */
export const CONFIG_SCHEMA = 'specs/schemas/config.schema.json';

/** That schema with updated settings. @param text the current schema */
export function withSettings(text: string): unknown {
  const schema: { $defs: { settings: object } } = JSON.parse(text);
  const settings = { ...schema.$defs.settings, properties: settingSchemas() };
  return { ...schema, $defs: { ...schema.$defs, settings } };
}

function settingSchemas(): Record<string, Readonly<Record<string, unknown>>> {
  return Object.fromEntries(
    Object.entries(OPTIONS).flatMap(([name, { help, schema, about }]) => {
      const description = about ?? `${help.charAt(0).toUpperCase()}${help.slice(1)}.`;
      return schema === undefined ? [] : [[name, { description, ...schema }]];
    }),
  );
}

const MARK = /(<!-- generated: (\w+) -->\n).*?(\n<!-- \/generated -->)/gs;

/** A document with its parts between `<!-- generated: NAME -->` and `<!-- /generated -->` updated. */
export function withGenerated(text: string): string {
  return text.replaceAll(MARK, (_, open: string, name: string, close: string) => {
    const make = GENERATED[name];
    if (make === undefined) throw new Error(`no generated part is called "${name}"`);
    return `${open}\n${make()}\n${close}`;
  });
}

const { program } = await commandLine((text) => text);

function coverage(): string {
  const rows = DEPLOYMENTS.map((deployment) => {
    const contract = loadContract({ deployment, vocabulary: 'neutral' });
    const checks = allChecks(contract);
    const { requirements } = coverageOf(contract, checks);
    const reading = checks.filter(({ effect }) => effect === 'reads');
    return [
      `\`${deployment}\``,
      requirements.length,
      requirements.filter((one) => one.checks.length === 0).length,
      checks.length,
      reading.length,
      reading.filter(({ needsUser }) => needsUser !== true).length,
      listMutants(deployment).length,
    ].map(String);
  });
  const counted = ['requirements', 'without a check', 'checks', 'in mode `read`'];
  return table(['deployment', ...counted, 'of these without credentials', 'mutants'], rows);
}

/** The releases of the contract: how many checks each requires, and how many it has changed. */
function releases(): string {
  const files = readReleaseFiles();
  const rows = foldReleases(files).map(({ version, checks }) => [
    version,
    ...DEPLOYMENTS.flatMap((deployment) =>
      LEVELS.map((level) => {
        const required = [...checks.values()].filter(
          (row) => row.in.includes(deployment) && includesLevel(level, row.level),
        );
        return String(required.length);
      }),
    ),
  ]);
  const heads = DEPLOYMENTS.flatMap((deployment) => LEVELS.map((level) => `\`${deployment}\` ${level}`));
  const changes = files
    .slice(1)
    .map(({ version, added, dropped, changed }) => [
      version,
      ...[Object.keys(added), dropped, Object.keys(changed)].map(({ length }) => String(length)),
    ]);
  return [
    'How many checks each level requires:',
    table(['release', ...heads], rows),
    'How many checks each release has added, dropped or changed; its file names them:',
    table(['release', 'added', 'dropped', 'changed'], changes),
  ].join('\n\n');
}

function lint(): string {
  const rows = Object.entries(rules).map(([id, { why, advice }]) => [`\`${id}\``, why, advice]);
  return table(['rule', 'why it matters', 'what to do'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
