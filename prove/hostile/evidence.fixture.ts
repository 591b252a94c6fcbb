import type { Seen } from '../../sites/hostile/server.ts';
import type { Evidence } from './expectations.ts';

/** A request of a run; default: for the index. */
export function seen(changes: Partial<Seen> = {}): Seen {
  return { method: 'GET', url: '/index.php?rest_route=/', headers: {}, body: Buffer.of(), ...changes };
}

/** The result document of a run in which one check passed. */
export function resultText(changes: object = {}): Buffer {
  const document = { conclusion: 'conformant', run: {}, checks: [{ id: 'a', verdict: 'pass' }], ...changes };
  return Buffer.from(JSON.stringify(document));
}

/** The evidence of a correct run. */
export function healthyEvidence(): Evidence {
  const records = new Map([
    ['posts/1', '{"id":1}'],
    ['media/7', '{"id":7}'],
  ]);
  return {
    ran: {
      code: 0,
      seconds: 2,
      bytes: 200_000_000,
      stdout: Buffer.from('CONFORMANT  1 check passed\n'),
      stderr: Buffer.of(),
      survivors: 0,
    },
    seen: [seen(), seen({ method: 'HEAD' })],
    misdirected: [],
    before: records,
    after: records,
    files: new Map([
      ['results.json', resultText()],
      ['junit.xml', Buffer.from('<?xml version="1.0"?><testsuites/>')],
    ]),
  };
}
