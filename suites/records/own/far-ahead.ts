/** A date in the time of the site, long after every run and before the end of 32-bit time. */
export const FAR_AHEAD = '2037-06-01T08:00:00';
