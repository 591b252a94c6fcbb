/** How much to test, which the person who starts the tests decides. */
const OF_TESTS = 'SITE_CONFORMANCE_WHOLE';

// Tests must not depend on the shell: its password, its settings and its colours.
for (const name of Object.keys(process.env)) {
  const isSetting = name.startsWith('SITE_CONFORMANCE_') && name !== OF_TESTS;
  if (isSetting || name === 'NO_COLOR') delete process.env[name];
}
