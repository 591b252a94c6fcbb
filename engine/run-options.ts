/** When a run that writes creates fixtures: if checks are inconclusive (`auto`), never, or before anything else. */
export type FixtureMode = 'auto' | 'never' | 'always';

/** How much of what the index lists a run reads beside its checks. */
export type TourLevel = 'none' | 'short' | 'full';

/** The name of the environment variable that holds the password: a secret is never an argument. */
export const PASSWORD_VARIABLE = 'SITE_CONFORMANCE_PASSWORD';
