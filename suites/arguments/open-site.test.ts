import { describe, expect, it } from 'vitest';
import { runOnReference } from '../../prove/kill.ts';
import type { Call, Handler } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });

describe('requests without credentials', () => {
  it('change nothing if anybody may write, and the checks say so', async () => {
    const changed: string[] = [];
    const noting = (handlers: Readonly<Record<string, Handler>>): Record<string, Handler> =>
      Object.fromEntries(
        Object.entries(handlers).map(([role, handler]) => [
          role,
          (call: Call) => {
            const answered = handler(call);
            if (call.request.method !== 'GET') changed.push(call.operation.id);
            return answered;
          },
        ]),
      );
    const { roles, authenticate } = STANDARD_BEHAVIOUR;
    const { results } = await runOnReference({
      deployment: 'b',
      alterations: [
        {
          behaviour: () => ({
            authenticate: (headers, accounts) => authenticate(headers, accounts) ?? accounts[0],
            roles: {
              records: noting(roles.records),
              uploads: noting(roles.uploads),
              autosaves: noting(roles.autosaves),
              revisions: noting(roles.revisions),
            },
          }),
        },
      ],
      contract,
      checks: allChecks(contract),
      mode: 'validate',
      anonymous: true,
      only: ['{posts,media,page-autosaves}.{create,update,edit,delete}/**'],
    });
    const wrong = [...results.values()].filter(({ verdict }) => ['fail', 'error'].includes(verdict));

    expect(changed).toEqual([]);
    expect(wrong).toEqual([]);
    const said = results.get('posts.update/date/format/enforced');
    expect(said).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(/^not denied without credentials/),
    });
  });
});
