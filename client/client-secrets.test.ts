import { describe, expect, it } from 'vitest';
import { BASIC, GET, sendJson, testClient, testServer, USER } from './server.fixture.ts';

describe('secrets', () => {
  it('never appear in reports of an observation, however the site encodes them', async () => {
    const server = await testServer((request, response) => {
      const { authorization = '', 'x-token': token = '' } = request.headers;
      const secrets = [
        authorization,
        authorization.slice(6),
        USER.password,
        USER.password.replaceAll(' ', ''),
        String(token),
      ];
      response.setHeader('x-echo', secrets.map(encodeURIComponent).join(' '));
      response.setHeader('x-auth', authorization);
      const php = JSON.stringify({ secrets, deep: [{ token: `Bearer ${String(token)}` }] }).replaceAll(
        '/',
        '\\/',
      );
      response.end(php);
    });
    const client = testClient(server.url, { ...USER, headers: { 'x-token': 'Bearer t0p/secret+value' } });
    const observation = await client.request({ ...GET, as: 'user', query: [['password', USER.password]] });
    const everything = client.redact(JSON.stringify(observation));

    expect(everything).toContain('[redacted]');
    expect(observation.url + observation.curl).not.toContain('efgh');
    for (const secret of [
      USER.password,
      'abcdefgh/ijkl',
      BASIC,
      't0p/secret+value',
      encodeURIComponent(USER.password),
    ]) {
      for (const form of [secret, encodeURIComponent(secret)]) expect(everything).not.toContain(form);
    }
  });

  it('are not masked for checks', async () => {
    const server = await testServer((_request, response) =>
      sendJson(response, { true: true, posts: ['true'] }),
    );
    const client = testClient(server.url, {
      user: 'admin',
      password: 'true',
      headers: { 'x-staging': 'posts' },
    });

    expect((await client.request(GET)).json).toEqual({ true: true, posts: ['true'] });
  });
});
