import { type Argument, type Command, Help, type Option } from 'commander';
import { plural, present } from '../../engine/text.ts';
import { isRare } from '../read-options.ts';

/** How many lines of examples the help of a command with rare options shows. */
const FEW_LINES = 4;

/** Gives each command its help: options in groups, without rare ones unless `all`, then examples. */
export function addHelp(program: Command, all: boolean): void {
  for (const command of [program, ...withOwn(program.commands)]) {
    command.configureHelp({
      optionDescription: describe,
      subcommandTerm: (one) => one.name(),
      formatHelp: (one, helper) =>
        new Help().formatHelp(one, !all && one.options.some(isRare) ? shortened(helper) : helper),
    });
    command.addHelpText('after', () => moreOf(command, program.name(), all));
  }
}

/** Commands with those below them. */
export function withOwn(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...withOwn(command.commands)]);
}

function shortened(helper: Help): Help {
  return Object.assign(helper, {
    visibleOptions: (command: Command) => command.options.filter((option) => !isRare(option)),
    visibleArguments: () => [],
  });
}

function describe({ description, argChoices, defaultValue, mandatory }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const usual = defaultValue === undefined ? '' : ` (${String(defaultValue)} unless given)`;
  return `${description}${choices}${usual}${mandatory && usual === '' ? ' (required)' : ''}`;
}

function moreOf(command: Command, program: string, all: boolean): string {
  const left = all ? 0 : command.options.filter(isRare).length;
  const examples = examplesOf(command).slice(0, left === 0 ? undefined : FEW_LINES);
  return present([
    command.parent === null && ['', `Options of a command: ${program} run --help`],
    left !== 0 && ['', `${plural(left, 'more option')}: ${program} ${command.name()} --help all`],
    examples.length > 0 && ['', 'Examples:'],
    ...examples.map((line) => `  ${line}`),
  ]).join('\n');
}

const EXAMPLES: Readonly<Record<string, string>> = {
  run: `# check the embedded deployments A and B
site-conformance
# check what a site serves, reading only
site-conformance run https://staging.example --deployment auto
# create, change and delete records of its own as well
site-conformance run https://staging.example --user admin --mode write --confirm-host staging.example
# only what fails newly counts, and accepted failures do not
site-conformance run --target staging --baseline last/results.json --waivers known waivers.json
# the result for a program
site-conformance run https://staging.example --json > results.json
# every target of the configuration
site-conformance run --all-targets --parallel 4`,
  plan: `# the checks of all operations on posts
site-conformance plan --deployment core --only 'posts.*/**'
# what all checks cover, as a page
site-conformance plan --deployment core --coverage --html coverage.html`,
  init: `# a working folder for a site
site-conformance init --target https://staging.example --out conformance
# has the site changed what it publishes?
site-conformance init --target https://staging.example --out conformance --check`,
  serve: `# a healthy site to try clients on
site-conformance serve --deployment core --port 8080`,
  clean: `# remove what an interrupted run has left
site-conformance clean --confirm-host staging.example`,
  client: `# what an app uses, out of a recording of a browser
site-conformance client make app.har --out app.client.json`,
  snapshot: `# keep the index of a site
site-conformance snapshot --target https://staging.example --out before.json`,
  twin: `# what staging answers otherwise than production, as everybody sees it
site-conformance twin https://www.example https://staging.example`,
  blame: `# how much it takes to find which plugin breaks callers; without --dry-run it is found
site-conformance blame --before before --change any --reset 'wp plugin deactivate seo shop' --step seo='wp plugin activate seo' --step shop='wp plugin activate shop' --dry-run`,
  diff: `# what changed from one to the other
site-conformance diff before.json after.json
# the same of two folders of reports, for a pull request
site-conformance diff before after --markdown --fail-on any
# the same without what is accepted until its day
site-conformance diff before after --accept accepted.json`,
  report: `# further reports of a run that is over
site-conformance report reports/out --reporter sarif --reporter markdown=summary.md
# one fleet of the parts that --shard made
site-conformance report --merge part-1 part-2 --out fleet`,
  history: `# two weeks of results, run by run
site-conformance history nights --last 14`,
  explain: `# what a check asks and how it decides
site-conformance explain posts.list/per_page/maximum/enforced
# what a verdict means
site-conformance explain inconclusive`,
  verify: `# does a certificate hold, and is it of this author?
site-conformance verify certificate --public-key author.pem --require read`,
  export: `# the contract as OpenAPI 3.1
site-conformance export --format openapi --deployment core --out openapi.json`,
  waivers: `# accept what fails today
site-conformance waivers make reports/out --owner me --reason 'until the next release' --expires 2027-01-31 --out waivers.json`,
  completion: `# for this shell; in ~/.bashrc for every one
source <(site-conformance completion bash)
# for zsh, once
site-conformance completion zsh > "\${fpath[1]}/_site-conformance"
# for fish, once
site-conformance completion fish > ~/.config/fish/completions/site-conformance.fish`,
};

function examplesOf(command: Command): string[] {
  return EXAMPLES[command.name()]?.split('\n') ?? [];
}

/** The commands as a page of Markdown: description, usage, arguments, options and examples of each. */
export function renderCommands(program: Command): string {
  return program.commands.map((command) => renderCommand(command, program.name(), '##')).join('\n\n');
}

function renderCommand(command: Command, before: string, heading: string): string {
  const words = `${before} ${command.name()}`;
  const description = command.description();
  const groups = Map.groupBy(command.options, ({ helpGroupHeading = '' }) => helpGroupHeading);
  const taken = command.registeredArguments.map((one) => itemOf(argumentOf(one), one.description));
  const examples = examplesOf(command);
  const parts = present([
    `${heading} \`${words}\``,
    `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
    `\`\`\`text\n${words} ${command.usage()}\n\`\`\``,
    taken.length > 0 && taken.join('\n'),
    ...[...groups].flatMap(([heading, own]) => [
      ...(heading === '' ? [] : [heading]),
      // A single star would be markup.
      own.map((one) => itemOf(one.flags, describe(one).replaceAll(/(?<!\S)(\*+)(?!\S)/g, '`$1`'))).join('\n'),
    ]),
    examples.length > 0 && `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    ...command.commands.map((one) => renderCommand(one, words, `${heading}#`)),
  ]);
  return parts.join('\n\n');
}

function itemOf(name: string, text: string): string {
  return `- \`${name}\`: ${text}`;
}

function argumentOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
