/** How much is tested, which whoever starts the tests decides. */
const OF_TESTS = 'SITE_CONFORMANCE_WHOLE';

// Tests know nothing of the shell that they are started from: its password, its settings and its colours are no test's own.
for (const name of Object.keys(process.env)) {
  const isSetting = name.startsWith('SITE_CONFORMANCE_') && name !== OF_TESTS;
  if (isSetting || name === 'NO_COLOR') delete process.env[name];
}
