/** What the commands of a document need, and how they end. */
export interface Page {
  /** The site to check; default: deployment `core`, in the words of WordPress if a command says so. */
  readonly site?:
    | { readonly deployment: string; readonly mutant?: string }
    | 'core in the words of WordPress';
  /** Files that the page shows as JSON, with their index among its JSON blocks. Programs name themselves. */
  readonly files?: Readonly<Record<string, number>>;
  /** Commands to run once before a block with such a text. */
  readonly given?: Readonly<Record<string, string>>;
  /** Whether each block has a folder of its own. */
  readonly apart?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The exit codes of commands with such a text; default: 0. */
  readonly codes?: Readonly<Record<string, number>>;
  /** Commands that only Ctrl-C ends, and the output that triggers it. */
  readonly until?: Readonly<Record<string, string>>;
  /** Blocks that another test runs: a text in the block, and that test. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Output in the page that a command with such a text must print, apart from figures. */
  readonly shows?: Readonly<Record<string, readonly RegExp[]>>;
}

const SITE = 'https://staging.example';
const STAGING = `echo '{"targets":{"staging":{"url":"${SITE}"}}}' > site-conformance.config.json`;
const KEY = `node -e "
const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
fs.writeFileSync('acme.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
fs.writeFileSync('acme.pub.pem', publicKey.export({ type: 'spki', format: 'pem' }));"`;
const WORDPRESS = 'core in the words of WordPress';
const SERVED = { 'npm start -- serve': 'stop it with Ctrl-C' };
/** A site that fails a check of every narrowed run. */
const FAILING = { deployment: 'core', mutant: 'posts.list/per_page/maximum/enforced~lenient' };

/** The documents with commands, by path. */
export const PAGES: Readonly<Record<string, Page>> = {
  'README.md': {
    given: { '--baseline last': `site-conformance ${SITE} --out last` },
    shows: {
      'npm start': [
        /^CONFORMANT.* {2}[\d,]+ checks passed, [\d,]+ of [\d,]+ \([\d.]+ %\) inconclusive/m,
        /^page +\S+\/reports\/out\/b\/report\.html$/m,
      ],
    },
  },
  'CONTRIBUTING.md': {},
  'docs/any-site.md': {},
  // The site of the page does not change.
  'docs/blame.md': { codes: { '--comparison changes': 2 } },
  'docs/certificate.md': {
    given: { '--certify': KEY },
    elsewhere: { 'openssl pkeyutl': 'reports/certificate/verified-elsewhere.test.ts' },
  },
  'docs/clients.md': {
    site: WORDPRESS,
    given: {
      'client make': `site-conformance ${SITE} --only 'posts.list/per_page/**' --har app.har --out before\ncp -r before after`,
    },
    until: { '--variant all-at-once': 'stop it with Ctrl-C' },
  },
  'docs/commands.md': {
    apart: true,
    given: {
      '--target staging': `${STAGING}\nsite-conformance ${SITE} --out last
        site-conformance waivers make last --owner me --reason none --expires 2027-01-31 --out waivers.json`,
      'diff before.json': `site-conformance snapshot --target ${SITE} --out before.json
        cp before.json after.json\nsite-conformance ${SITE} --out before\ncp -r before after`,
      'blame --before': `site-conformance ${SITE} --only 'posts.list/per_page/**' --out before`,
      'client make': `site-conformance ${SITE} --only 'posts.list/per_page/**' --har app.har`,
      'diff before after --accept': 'site-conformance diff before after --write-accept accepted.json',
      'report --merge': `${STAGING}\nsite-conformance run --all-targets --shard 1/2 --out part-1
        site-conformance run --all-targets --shard 2/2 --out part-2\nsite-conformance ${SITE}`,
      'history nights': `site-conformance ${SITE} --out nights/2026-01-31`,
      'verify certificate': `${KEY}\nmv acme.pub.pem author.pem
        site-conformance ${SITE} --user admin --certify read --implementation Acme --key acme.pem
        mv reports/out/certificate-* certificate`,
      'waivers make': `site-conformance ${SITE}`,
      'fish/completions': 'mkdir -p .config/fish/completions',
    },
    until: { 'site-conformance serve': 'stop it with Ctrl-C' },
  },
  'docs/configuration.md': { site: WORDPRESS, files: { 'site-conformance.config.json': 0 } },
  'docs/contract-releases.md': {},
  'docs/coverage.md': {},
  'docs/diff.md': {},
  'docs/explain.md': { given: { explain: `site-conformance ${SITE} --vocabulary wordpress` } },
  'docs/exports.md': {
    apart: true,
    given: { 'npx openapi-typescript': 'site-conformance export --format openapi --out openapi.json' },
  },
  'docs/fleets.md': {
    site: WORDPRESS,
    files: { 'site-conformance.config.json': 0 },
    given: {
      '--baseline last-night': 'site-conformance run --all-targets --out last-night',
      'report --merge': 'site-conformance run --all-targets --shard 2/2 --out parts/part-2',
    },
  },
  'docs/fuzzing.md': {
    site: { deployment: 'core', mutant: 'posts.list/fuzz/accepted~after-beside-author' },
    given: {
      '--replay': `site-conformance ${SITE} --only posts.list/fuzz/accepted --profile nightly --seed 1`,
      '--target staging': STAGING,
    },
    codes: { '--only posts.list/fuzz/accepted': 1, '--replay': 1 },
    shows: {
      '--only posts.list/fuzz/accepted': [
        /^── fuzzing ─+\n +evaluated +[\d,]+ of [\d,]+ sets of arguments \([\d.]+ %\)$/m,
        /^ +coverage +[\d,]+ keywords and kinds of values tried, [\d,]+ never; [\d,]+ of [\d,]+ pairs of parameters\s/m,
        /^ +expected +accepted\n +observed +refused \(status 400\)\n +repeat +curl -sS -g /m,
        /^ +replay +npm .*start -- run --target .*posts\.list\/fuzz\/accepted#after\+author:refused/m,
      ],
    },
  },
  'docs/hints.md': {
    site: { deployment: 'b' },
    files: { 'my-hints.json': 0 },
    env: { KEYWORD_TOOL_CODE: 'code of a tool' },
  },
  'docs/history.md': {},
  'docs/hostile.md': {},
  'docs/install.md': {},
  'docs/library.md': {},
  'docs/mutants.md': { until: { '--mutant': 'stop it with Ctrl-C' } },
  'docs/nightly.md': {
    site: FAILING,
    given: { '--baseline nights/last': `site-conformance ${SITE} --out nights/last` },
    codes: { '--out nights/last': 1, '--rerun': 1 },
  },
  'docs/own-deployment.md': {
    site: { deployment: 'my-site.json' },
    files: { 'acme.json': 0, 'my-site.json': 1 },
    shows: { '--deployment auto': [/^deployment auto: core, .*; vocabulary \w+/m] },
  },
  'docs/real-wordpress.md': {},
  'docs/recordings.md': {},
  'docs/reference-deployment.md': { until: SERVED },
  'docs/reimplementing.md': {
    given: { '--watch-file': 'mkdir build\ntouch build/done' },
    until: { ...SERVED, '--watch': 'Ctrl-C' },
    shows: {
      '--watch': [/^── [\d,]+ of [\d,]+ required checks pass \([\d.]+ %\)(, beside \d+ advisory ones)? ─+$/m],
    },
  },
  'docs/reports.md': {
    env: { GITHUB_STEP_SUMMARY: 'summary-of-the-job.md' },
    // The site of the page conforms.
    codes: { '--upstream': 2 },
  },
  'docs/safety.md': {},
  'docs/vitest.md': {},
  'docs/waivers.md': {
    site: FAILING,
    codes: { '--deployment core': 1, '--waivers': 0 },
  },
  'docs/where-people-work.md': {},
};

/** The beginnings of commands that are not run, each with the reason. `*` stands for any word. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'installs from a registry; .ci/run begins with it',
  'npm install': 'installs from a registry; npm run package:try installs the package',
  'npm test': 'would run itself; .ci/run runs it',
  'npm run': 'a program for those who work on the project; .ci/run runs what must hold',
  'npx openapi-typescript': 'a program of others, which is not installed',
  'npx @redocly/cli': 'a program of others, which is not installed',
  'npx vitest': 'library/conformance.suite.whole.test.ts runs the project with vitest',
  'st run': 'a program of others; npm run bench schemathesis runs it',
  'gh pr': 'writes to GitHub; tools/ci/workflows.whole.test.ts runs it with a stand-in',
  'podman build': 'needs a builder; tools/ci/container.whole.test.ts takes its steps',
  'podman run': 'needs a builder; what it runs in the container is run here',
  'openssl *': 'need not be installed; the page makes the same keys with Node, which is run',
  'bash .ci/run': 'runs everything that must hold, this test too',
  'npm start -- clean': 'needs a run that died; cli/run/interrupted.whole.test.ts runs it after one',
  'site-conformance clean': 'needs a run that died; cli/run/interrupted.whole.test.ts runs it after one',
};

const BEGINNINGS = Object.entries(NOT_RUN).map(([words, reason]) => ({ words: words.split(' '), reason }));

/** Why a command is not run; undefined if it is run. */
export function notRunFor(words: readonly string[]): string | undefined {
  return BEGINNINGS.find((one) => one.words.every((word, at) => word === '*' || word === words[at]))?.reason;
}
