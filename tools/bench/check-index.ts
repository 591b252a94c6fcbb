import { readFileSync } from 'node:fs';
import { readBase } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { looksLikeIndex, readIndex } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import { decidedByIndex } from '../../suites/index/declared-checks.ts';
import { noticesOf } from '../../suites/index/notices.ts';
import { runChecks } from '../../suites/run-checks.ts';

// Reads an index from a file and runs every check that it decides against the contract of B, in this process and without
// a request. Prints the seconds for each step, and what came out.

const begun = performance.now();
const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const checks = decidedByIndex(contract);
const prepared = performance.now();

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const document: unknown = JSON.parse(text);
if (!looksLikeIndex(document)) throw new Error('the file holds no index');
const index = readIndex(document, text);
const read = performance.now();

const client = new Client({ base: readBase(String(document.url)), mode: 'read', concurrency: 1, timeout: 1 });
const { results } = await runChecks({ client, contract, checks, index });
const notices = noticesOf(contract, index);
const checked = performance.now();
await client.close();

const seconds = (from: number, to: number): number => (to - from) / 1000;
console.log(
  JSON.stringify({
    routes: index.routes.length,
    checks: results.size,
    notPassed: [...results.values()].filter(({ verdict }) => verdict !== 'pass').length,
    notices: notices.length,
    prepareSeconds: seconds(begun, prepared),
    readSeconds: seconds(prepared, read),
    checkSeconds: seconds(read, checked),
  }),
);
