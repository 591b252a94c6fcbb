/** When a run that writes creates fixtures: if checks are inconclusive (`auto`), never, or before anything else. */
export type FixtureMode = (typeof FIXTURE_MODES)[number];

/** The words of `--stage`. */
export const FIXTURE_MODES = ['auto', 'never', 'always'] as const;

/** How much of what the index lists a run reads beside its checks. */
export type TourLevel = (typeof TOUR_LEVELS)[number];

/** The words of `--tour`. */
export const TOUR_LEVELS = ['none', 'short', 'full'] as const;

/** The name of the environment variable that holds the password: a secret is never an argument. */
export const PASSWORD_VARIABLE = 'SITE_CONFORMANCE_PASSWORD';
