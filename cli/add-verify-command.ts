import { type Command, Option } from 'commander';
import type { Redactor } from '../client/redact.ts';
import { LEVELS } from '../specs/releases.ts';
import { addRunOptions } from './options.ts';
import { verifyCommand } from './verify-command.ts';

/** Options of a run that do not change what the plan of a certificate asks. */
const OF_THE_WAY: ReadonlySet<string | undefined> = new Set([
  '--confirm-host',
  '--header',
  '--insecure',
  '--concurrency',
  '--rate',
  '--timeout',
]);

/** Adds the command `verify`. @param done takes the exit code */
export function addVerifyCommand(program: Command, hide: Redactor, done: (code: number) => void): void {
  const command = program
    .command('verify')
    .description('whether a certificate holds; sends nothing, unless --target asks for the same run again')
    .argument('<folder>', 'the folder of the certificate')
    .option('--public-key <file>', 'the public key of its author (PEM): it must be signed with that one')
    .addOption(
      new Option('--require <level>', 'end with exit code 1 unless this level is met in full').choices([
        ...LEVELS,
      ]),
    )
    .option('--json', 'as JSON')
    .option('--target <url>', 'a site that runs the implementation: run the plan again there, with its seed')
    .option('--user <name>', 'a user of that site; password: SITE_CONFORMANCE_PASSWORD')
    .option('--config <file>', 'the configuration file of that run')
    .option('--out <dir>', 'the folder for the reports of that run (reports/out/repeated)');
  for (const option of addRunOptions(program.createCommand()).options) {
    if (OF_THE_WAY.has(option.long)) command.addOption(option);
  }
  command.action(async (folder: string, options) => {
    done(await verifyCommand(folder, options, hide));
  });
}
