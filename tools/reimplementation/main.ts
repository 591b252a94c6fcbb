import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FEATURES, featuresOf, STAGES } from './features.ts';
import { serve } from './serve.ts';

const USAGE = `A small site of its own that does as much of the deployment core as it is told.

npm run reimplementation -- [options]
  --features NAME,…      what it can do: features and stages; all of half a year without
  --features-file FILE   the same from a file, one name a line, read again at each request
  --port N               any free one without
  --empty                without the records that it comes with

The user is author; the password is SITE_CONFORMANCE_PASSWORD, or secret.
stages    ${Object.keys(STAGES).join(', ')}
features  ${FEATURES.map(({ feature }) => feature).join(', ')}
`;

/** The names in a text, which commas, blanks and line breaks separate. */
const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      features: { type: 'string', default: 'half-year' },
      'features-file': { type: 'string' },
      port: { type: 'string', default: '0' },
      empty: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const file = values['features-file'];
  const features = (): ReadonlySet<string> =>
    featuresOf(namesIn(file === undefined ? values.features : readFileSync(file, 'utf8')));
  features();
  const password = process.env.SITE_CONFORMANCE_PASSWORD ?? 'secret';
  const { url } = await serve({ features, password, port: Number(values.port), empty: values.empty });
  process.stdout.write(`${url}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
