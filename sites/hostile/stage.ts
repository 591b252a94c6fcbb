import type { Served } from '../reference/serve.ts';

/** What a hostile server has to work with in one run. */
export interface Stage {
  /** The healthy site behind it. */
  readonly site: Served;
  /** Who logs in, as the command line is told. */
  readonly user: string;
  readonly password: string;
  /** Another origin, which no request may reach. */
  readonly elsewhere: string;
  /** Its own address. */
  url: string;
}

/** A user and a password in which every spelling differs from every other. */
export const USER = 'hostile-tester';
export const PASSWORD = `Zq7 w"x<y&z>'/(tok)*!~é+pLm9 %kR`;
