import { serve } from '../reference/serve.ts';
import { UsageError } from './usage-error.ts';

/** The command `serve`: the reference deployment, until it is interrupted. @returns the exit code */
export async function serveCommand(options: {
  deployment: string;
  port?: number;
  fault?: string;
}): Promise<number> {
  if (options.fault !== undefined) throw new UsageError('--fault is not available yet: leave it out');
  const site = await serve({
    deployment: options.deployment,
    ...(options.port !== undefined && { port: options.port }),
  });
  process.stdout.write(
    [
      `deployment ${options.deployment} at ${site.url}`,
      `index: ${site.url}/index.php?rest_route=/`,
      `user: ${site.user}`,
      `application password: ${site.password}`,
      'stop it with Ctrl-C',
      '',
    ].join('\n'),
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await site.close();
  return 0;
}
