/** Whether a run that writes creates its own fixtures: when checks could not tell (`auto`), not at all, or before anything else. */
export type FixtureMode = (typeof FIXTURE_MODES)[number];

/** The words of `--stage`. */
export const FIXTURE_MODES = ['auto', 'never', 'always'] as const;

/** The name of the environment variable that holds the password: a secret is never an argument. */
export const PASSWORD_VARIABLE = 'SITE_CONFORMANCE_PASSWORD';
