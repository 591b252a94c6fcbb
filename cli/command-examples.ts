import type { Command } from 'commander';

/** A line to copy, and what it does. */
export interface CommandExample {
  readonly line: string;
  readonly what: string;
}

/** Examples of each command, by its words. */
const EXAMPLES: Readonly<Record<string, readonly CommandExample[]>> = {
  run: [
    { line: 'site-conformance', what: 'check the embedded deployments A and B' },
    {
      line: 'site-conformance run https://staging.example --deployment auto',
      what: 'check what a site serves, reading only',
    },
    {
      line: 'site-conformance run https://staging.example --user admin --mode write --confirm-host staging.example',
      what: 'create, change and delete records of its own as well',
    },
    {
      line: 'site-conformance run --target staging --baseline last/results.json --waivers known waivers.json',
      what: 'only what fails newly counts, and accepted failures do not',
    },
    {
      line: 'site-conformance run https://staging.example --json > results.json',
      what: 'the result for a program',
    },
    {
      line: 'site-conformance run --all-targets --parallel 4',
      what: 'every target of the configuration',
    },
  ],
  plan: [
    {
      line: "site-conformance plan --deployment core --only 'posts.*/**'",
      what: 'the checks of all operations on posts',
    },
    {
      line: 'site-conformance plan --deployment core --coverage --html coverage.html',
      what: 'what all checks cover, as a page',
    },
  ],
  init: [
    {
      line: 'site-conformance init --target https://staging.example --out conformance',
      what: 'a working folder for a site',
    },
    {
      line: 'site-conformance init --target https://staging.example --out conformance --check',
      what: 'has the site changed what it publishes?',
    },
  ],
  serve: [
    {
      line: 'site-conformance serve --deployment core --port 8080',
      what: 'a healthy site to try clients on',
    },
  ],
  clean: [
    {
      line: 'site-conformance clean --confirm-host staging.example',
      what: 'remove what an interrupted run has left',
    },
  ],
  snapshot: [
    {
      line: 'site-conformance snapshot --target https://staging.example --out before.json',
      what: 'keep the index of a site',
    },
  ],
  diff: [
    { line: 'site-conformance diff before.json after.json', what: 'what changed from one to the other' },
    {
      line: 'site-conformance diff before after --markdown --fail-on any',
      what: 'the same of two folders of reports, for a pull request',
    },
  ],
  report: [
    {
      line: 'site-conformance report reports/out --reporter sarif --reporter markdown=summary.md',
      what: 'further reports of a run that is over',
    },
    {
      line: 'site-conformance report --merge part-1 part-2 --out fleet',
      what: 'one fleet of the parts that --shard made',
    },
  ],
  history: [{ line: 'site-conformance history nights --last 14', what: 'two weeks of results, run by run' }],
  explain: [
    {
      line: 'site-conformance explain posts.list/per_page/maximum/enforced',
      what: 'what a check asks and how it decides',
    },
    { line: 'site-conformance explain inconclusive', what: 'what a verdict means' },
  ],
  verify: [
    {
      line: 'site-conformance verify certificate --public-key author.pem --require read',
      what: 'does a certificate hold, and is it of this author?',
    },
  ],
  export: [
    {
      line: 'site-conformance export --format openapi --deployment core --out openapi.json',
      what: 'the contract as OpenAPI 3.1',
    },
  ],
  waivers: [
    {
      line: "site-conformance waivers make reports/out --owner me --reason 'until the next release' --expires 2027-01-31 --out waivers.json",
      what: 'accept what fails today',
    },
  ],
  completion: [
    {
      line: 'source <(site-conformance completion bash)',
      what: 'for this shell; in ~/.bashrc for every one',
    },
    {
      line: `site-conformance completion zsh > "\${fpath[1]}/_site-conformance"`,
      what: 'for zsh, once',
    },
    {
      line: 'site-conformance completion fish > ~/.config/fish/completions/site-conformance.fish',
      what: 'for fish, once',
    },
  ],
};

/** The examples of a command; none where it has none. */
export function examplesOf(command: Command): readonly CommandExample[] {
  return EXAMPLES[command.name()] ?? [];
}
