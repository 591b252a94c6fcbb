import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { replay } from './bench-target.ts';
import { clientOf, fuzzReads } from './fuzz-session.ts';
import { renderTable } from './measure.ts';

// Requests a second of the fuzz checks of reads against the site of WORDPRESS_URL, beside a plain replay of the same requests.

const ROUNDS = 2;
const CONCURRENCY = 4;
const EXAMPLES = 30;
const MOST_TIMES_REPLAY = 1.1;

const {
  WORDPRESS_URL: url = '',
  SITE_CONFORMANCE_USER: user = '',
  [PASSWORD_VARIABLE]: password = '',
} = process.env;
const site = { url, user, password, vocabulary: 'wordpress' };
const rounds: { run: number; own: number; plain: number; requests: number }[] = [];
while (rounds.length < ROUNDS) {
  const client = clientOf(site, CONCURRENCY);
  const { seconds, ownSeconds } = await fuzzReads(site, client, ['**/fuzz/**'], EXAMPLES);
  await client.close();
  const plain = await replay(client.sent, { ...site, concurrency: CONCURRENCY });
  rounds.push({ run: seconds, own: ownSeconds, plain, requests: client.sent.length });
}
// What else the machine does makes any of them longer, never shorter.
const run = Math.min(...rounds.map((round) => round.run));
const plain = Math.min(...rounds.map((round) => round.plain));
const requests = rounds[0]?.requests ?? 0;
const own = Math.min(...rounds.map((round) => round.own));
const ratio = run / plain;
console.log(
  renderTable([
    ['fuzz checks of reads, against a real WordPress', 'seconds', 'requests a second', 'goal'],
    ['run', run.toFixed(1), (requests / run).toFixed(0), ''],
    ['time of the processor in it', own.toFixed(1), '', ''],
    ['plain replay', plain.toFixed(1), (requests / plain).toFixed(0), ''],
    ['ratio', ratio.toFixed(2), '', `at most ${MOST_TIMES_REPLAY}`],
  ]),
);
process.exitCode = ratio <= MOST_TIMES_REPLAY ? 0 : 1;
