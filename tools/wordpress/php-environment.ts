const kept = ['PATH', 'LANG', 'TMPDIR', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * The environment for PHP programs of a site in `folder` (an absolute path): what PHP needs to run and nothing of
 * the caller's, so that neither secrets nor proxies nor a private WP-CLI configuration reach the site.
 */
export function phpEnvironment(folder: string): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    HOME: folder,
    WP_CLI_CONFIG_PATH: '/dev/null',
    WP_CLI_DISABLE_AUTO_CHECK_UPDATE: '1',
  };
  for (const name of kept) {
    if (process.env[name] !== undefined) environment[name] = process.env[name];
  }
  return environment;
}
