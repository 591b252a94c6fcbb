/** An id that nothing has: sites count up from one, and take ids up to the largest integer of 32 bits. */
export const NO_ID = 999_999_999;
