import { describe, expect, it } from 'vitest';
import { membersOf } from './process-group.ts';

const listing = `    1     1 /sbin/init
  410   410 php -S 127.0.0.1:8080 -t /var/tmp/site-x1/site
  411   410 php -S 127.0.0.1:8080 -t /var/tmp/site-x1/site
  500   500 vi /var/tmp/site-x1/notes
  600   600 php -S 127.0.0.1:8081 -t /var/tmp/site-y2/site
  601   600 [php]
`;

describe('membersOf', () => {
  it('finds the first process and its workers, and no other group with the mark', () => {
    expect(membersOf(listing, 410, '/site-x1')).toEqual([410, 411]);
  });

  it('finds workers that outlived the first process', () => {
    expect(membersOf(listing.replace(/^ +410 .*\n/m, ''), 410, '/site-x1')).toEqual([411]);
  });

  it('leaves a group alone whose id now belongs to somebody else', () => {
    expect(membersOf(listing, 500, '/site-z9')).toEqual([]);
    expect(membersOf(listing, 600, '/site-x1')).toEqual([]);
  });

  it('counts members whose command line is not shown when another one carries the mark', () => {
    expect(membersOf(listing, 600, '/site-y2')).toEqual([600, 601]);
  });

  it('is empty for a group that does not run', () => {
    expect(membersOf(listing, 41, '/site-x1')).toEqual([]);
  });
});
