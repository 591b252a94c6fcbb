import type { CheckResult, RunResult } from '../engine/result.ts';
import { present } from '../engine/text.ts';
import { sectionOf } from '../specs/texts.ts';
import { placeOf, requirementOf, sectionWithBasis } from './about-check.ts';
import { codeBlock, codeSpan, escapeMarkdown } from './escape-markdown.ts';

const EXAMPLE = 'https://site.example';

const PASSWORD = '$SITE_CONFORMANCE_PASSWORD';

/** The user in a shell command: the name, quoted if necessary, and a variable. */
const USER = /-u (?:\$'(?:\\.|[^'\\])*'|'(?:'\\''|[^'])*'|[^\s']+?):"\$\w+"/g;
/** A header for a gate in front of the site, which does not concern the software. */
const GATE = / -H '[^']*'"\$SECRET"/g;

/**
 * The text of an issue, as Markdown, for the owner of the software: what was found and where, how to reproduce it, what
 * the specification expects, and the versions. It names neither the host of the target nor a user.
 * @param check a failure, a warning or an unstable check of the result
 * @param finding the id of one of several root causes; default: the first
 */
export function upstreamIssue(
  { target, tool, run }: RunResult,
  check: CheckResult,
  finding?: string,
): string {
  const sets = check.replay?.sets ?? [];
  const smallest = sets.find(({ id }) => id === finding) ?? sets[0];
  const others = sets.filter((one) => one !== smallest).map(({ id }) => codeSpan(id));
  // Details of the check itself belong to its first finding.
  const own = smallest === sets[0] ? check : smallest;
  const say = (text: string): string => withoutTarget(text, target.url);
  const shown = (text: string): string => escapeMarkdown(say(text));
  const place = placeOf(check, target.operations);
  const clause = sectionOf(check.section)?.title;
  const section = `${sectionWithBasis(check)}${clause === undefined ? '' : ` ${clause}`}`;
  const statement = requirementOf(check.id)?.statement;
  const details = { ...smallest, ...own };
  const { message = check.title, expected = check.title, observed, reproduce: commands = [] } = details;
  return present([
    `# ${shown(message)}`,
    '',
    place !== undefined && `- Where: ${codeSpan(say(place))}`,
    `- Expected: ${shown(expected)}`,
    `- By section: ${escapeMarkdown(section)} of the contract${statement === undefined ? '' : `: ${escapeMarkdown(statement)}`}`,
    observed !== undefined && `- Observed: ${shown(observed)}`,
    (smallest?.shows === 'sometimes' || check.unstable !== undefined) &&
      '- It shows sometimes, and not each time.',
    others.length > 0 &&
      `- Root causes of this check in the run: ${sets.length}; the others are ${others.join(', ')}.`,
    '',
    '## How to repeat it',
    '',
    ...(commands.length === 0
      ? ['No single request shows it.']
      : [
          `On a site of your own in place of ${codeSpan(EXAMPLE)}${commands.some((line) => line.includes(PASSWORD)) ? ', with a user who has an application password' : ''}:`,
          '',
          codeBlock(commands.map(say).join('\n')),
        ]),
    '',
    '## Versions',
    '',
    `- Software: ${target.software === undefined ? 'not named (`run --software` names it)' : shown(target.software)}`,
    `- Found by ${escapeMarkdown(`${tool.name} ${tool.version}`)}, check ${codeSpan(check.id)}, contract ${codeSpan(tool.contract)}, mode ${run.mode}, seed ${run.seed}`,
    '',
  ]).join('\n');
}

/** Text without the address of the target, its host, the user and headers for a gate. */
function withoutTarget(text: string, address: string): string {
  const { host, hostname, href } = new URL(address);
  const base = href.replace(/\/+$/, '');
  // A site may use its other scheme, or its bare name. A name without a dot may be any word.
  const alone = [host, hostname].filter((name) => /[.:]/.test(name));
  const beside = [host, hostname].map((name) => `//${name}`);
  const example = new URL(EXAMPLE).host;
  const pairs = [
    [base, EXAMPLE] as const,
    ...beside.map((name) => [name, `//${example}`] as const),
    ...alone.map((name) => [name, example] as const),
  ];
  let named = text;
  for (const [own, shown] of pairs) {
    named = named.replaceAll(own, shown).replaceAll(encodeURIComponent(own), encodeURIComponent(shown));
  }
  return named.replaceAll(USER, '-u "$LOGIN:$PASSWORD"').replaceAll(GATE, '');
}
