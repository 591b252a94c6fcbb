import { serve } from '../reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { UsageError } from './usage-error.ts';

/**
 * The command `serve`: the reference deployment, until it is interrupted. @returns the exit code
 * @throws UsageError when the port cannot be used; SpecError for a deployment that cannot be used.
 */
export async function serveCommand(options: {
  deployment: string;
  port?: number;
  fault?: string;
}): Promise<number> {
  if (options.fault !== undefined) throw new UsageError('--fault is not available yet: leave it out');
  // Says what is wrong with a deployment, which the reference deployment takes as it is.
  loadContract({ deployment: options.deployment, vocabulary: 'neutral' });
  const { port } = options;
  const site = await serve({
    deployment: options.deployment,
    ...(port !== undefined && { port }),
  }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new UsageError(
        `--port ${port}: something listens there already; choose another port, or none for a free one`,
      );
    }
    if (code === 'EACCES')
      throw new UsageError(`--port ${port}: not allowed for this user; ports from 1024 on are`);
    throw error;
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
