import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { defined } from '../../client/json.ts';
import { codeOf } from '../../client/target-error.ts';
import { print } from '../../reports/print.ts';
import {
  listMutants,
  serveMutant,
  UnknownAlteration,
  variantsOf,
} from '../../sites/alterations/catalogue.ts';
import { loadContract } from '../../specs/contract.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';
import { wholeNumber } from '../options.ts';
import type { CommandContext } from '../read-options.ts';

const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already; choose another port, or none for a free one',
  EACCES: 'not allowed for this user; ports from 1024 on are',
};

/** Adds the command `serve`. */
export default function defineServe(program: Command, { ends }: CommandContext): void {
  program
    .command('serve')
    .description('serve the reference deployment on this machine')
    .requiredOption('--deployment <name>', 'a, b, core, or the path of a deployment file')
    .option('--port <n>', 'the port; a free one unless given', wholeNumber(1, 65535))
    .option('--mutant <id>', 'break it in one way')
    .addOption(
      new Option(
        '--variant <name>',
        'another site that conforms; all-at-once differs wherever it may',
      ).conflicts('mutant'),
    )
    .option('--list-variants', 'list them, and serve nothing')
    .option('--empty', 'without any content')
    .option('--list-mutants', 'list the ids of all mutants that the deployment can have, and serve nothing')
    .action(async (options) => ends(await serveCommand(options)));
}

async function serveCommand(options: {
  deployment: string;
  port?: number;
  mutant?: string;
  variant?: string;
  listVariants?: boolean;
  empty?: boolean;
  listMutants?: boolean;
}): Promise<number> {
  // Validates the deployment, because the reference deployment does not.
  loadContract({ deployment: options.deployment, vocabulary: 'neutral' });
  const { port, mutant, variant, empty = false } = options;
  if (options.listMutants === true || options.listVariants === true) {
    const list = options.listMutants === true ? listMutants : variantsOf;
    for (const one of list(options.deployment)) print(process.stdout, `${one.id}  ${one.title}\n`);
    return 0;
  }
  const site = await serveMutant({
    deployment: options.deployment,
    ...defined({ port, mutant, variant }),
    ...(empty && { seed: 'empty' as const }),
  }).catch((error: unknown) => {
    if (error instanceof UnknownAlteration) {
      if (variant !== undefined) throw new UsageError(`--variant: ${error.message}`);
      const known = listMutants(options.deployment).map(({ id }) => id);
      throw new UsageError(`--mutant: ${error.message}${suggestion(mutant ?? '', known)}`);
    }
    const why = PORT_PROBLEMS[codeOf(error)];
    throw why === undefined ? error : new UsageError(`--port ${port}: ${why}`);
  });
  print(
    process.stdout,
    [
      `deployment ${options.deployment} at ${site.url}${mutant === undefined ? '' : ` with the mutant ${mutant}`}${variant === undefined ? '' : ` as the variant ${variant}`}`,
      `index: ${site.url}/index.php?rest_route=/`,
      `user: ${site.user}`,
      `application password: ${site.password}`,
      'stop it with Ctrl-C',
      '',
    ].join('\n'),
  );
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  await site.close();
  return 0;
}
