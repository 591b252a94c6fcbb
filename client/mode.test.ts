import { describe, expect, it } from 'vitest';
import type { RunMode } from './mode.ts';
import { guardHeader, guardMode, guardWire, includesMode, MODES, ModeViolation } from './mode.ts';
import type { Intent, Method, RequestSpec } from './observation.ts';
import { sendJson, testClient, testServer } from './server.fixture.ts';
import { TargetError } from './target-error.ts';

function allowedIn(spec: RequestSpec): RunMode[] {
  return MODES.filter((mode) => {
    try {
      guardMode(mode, spec);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(ModeViolation);
      return false;
    }
  });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('guardMode', () => {
  it.each<[Method, Intent | undefined, RunMode[]]>([
    ['GET', undefined, ['read', 'validate', 'write', 'full']],
    ['HEAD', undefined, ['read', 'validate', 'write', 'full']],
    ['OPTIONS', 'read', ['read', 'validate', 'write', 'full']],
    ['GET', 'must-be-refused', ['validate', 'write', 'full']],
    ['GET', 'alters-site', ['full']],
    ['POST', 'must-be-refused', ['validate', 'write', 'full']],
    ['POST', 'own-record', ['write', 'full']],
    ['DELETE', 'own-record', ['write', 'full']],
    ['PUT', 'alters-site', ['full']],
    ['POST', undefined, ['full']],
    ['PATCH', undefined, ['full']],
    ['DELETE', undefined, ['full']],
    ['POST', 'read', ['full']],
    ['DELETE', 'read', ['full']],
  ])('lets %s with the intent %s through in %o only', (method, intent, modes) => {
    const spec = { method, route: '/cms/v2/posts', ...(intent !== undefined && { intent }) };

    expect(allowedIn(spec)).toEqual(modes);
  });

  it.each<[string, Partial<RequestSpec>]>([
    ['a parameter', { query: [['_method', 'DELETE']] }],
    ['a member of a parameter', { query: [['_method[x]', 'DELETE']] }],
    ['a parameter that PHP reads as one', { query: [['.method', 'DELETE']] }],
    ['another parameter that PHP reads as one', { query: [[' _method', 'DELETE']] }],
    ['a name in a raw query', { rawQuery: 'search=%zz&%5Fmethod=DELETE' }],
    ['a member of the body', { method: 'POST', body: { json: { _method: 'DELETE' } } }],
    ['parts of a batch', { method: 'POST', body: { json: { requests: [{ body: { _method: 'DELETE' } }] } } }],
    [
      'a header of a part of a batch',
      { method: 'POST', body: { json: { requests: [{ headers: { 'X-HTTP-Method-Override': 'DELETE' } }] } } },
    ],
    [
      'a field of a form',
      {
        method: 'POST',
        body: { type: 'application/x-www-form-urlencoded', bytes: bytes('a=1&_method=DELETE') },
      },
    ],
    ['the path of a part', { method: 'POST', body: { json: { requests: [{ path: '/a?_method=GET' }] } } }],
    ['a name of a form', { method: 'POST', body: { form: [['_method', 'DELETE']] } }],
    [
      'a field of a multipart form',
      {
        method: 'POST',
        body: { type: 'multipart/form-data; boundary=x', bytes: bytes('name="_method"\r\n\r\nDELETE') },
      },
    ],
  ])('refuses a method override as %s, in every mode', (_case, change) => {
    expect(allowedIn({ method: 'GET', route: '/cms/v2/posts', intent: 'read', ...change })).toEqual([]);
  });

  it('allows a raw query only for reads, in every mode', () => {
    const spec = { route: '/cms/v2/posts', rawQuery: 'search=%zz' } as const;

    expect(allowedIn({ ...spec, method: 'GET' })).toEqual(['read', 'validate', 'write', 'full']);
    expect(allowedIn({ ...spec, method: 'POST', intent: 'own-record' })).toEqual([]);
  });

  it.each<[string, Partial<RequestSpec>]>([
    ['a value', { query: [['search', '_method']] }],
    [
      'a longer name',
      {
        query: [
          ['_methods', '1'],
          ['payment_method', 'x'],
        ],
      },
    ],
    ['text of a file', { method: 'POST', body: { type: 'text/plain', bytes: bytes('_method') } }],
    ['text in a body', { method: 'POST', body: { json: { title: '_method', list: [null] } } }],
  ])('sees no override in %s', (_case, change) => {
    expect(allowedIn({ method: 'GET', route: '/cms/v2/posts', ...change })).toContain('full');
  });
});

describe('guardHeader', () => {
  it.each(['X-HTTP-Method-Override', 'x-http-method-override', 'X_HTTP_Method_Override'])(
    'refuses %s',
    (name) => {
      expect(() => guardHeader(name)).toThrow(ModeViolation);
    },
  );

  it('allows other headers', () => {
    expect(() => guardHeader('X-HTTP-Method')).not.toThrow();
  });
});

it('includesMode orders the modes from the most restrictive one', () => {
  expect(MODES.map((mode) => MODES.filter((wanted) => includesMode(mode, wanted)).length)).toEqual([
    1, 2, 3, 4,
  ]);
});

describe('the client', () => {
  it.each<[RunMode, RequestSpec]>([
    ['read', { method: 'DELETE', route: '/cms/v2/posts/1', intent: 'own-record' }],
    ['validate', { method: 'POST', route: '/cms/v2/posts', intent: 'own-record', body: { json: {} } }],
    ['write', { method: 'POST', route: '/builder/v1/settings/a', intent: 'alters-site' }],
    ['full', { method: 'GET', route: '/', query: [['_method', 'DELETE']] }],
  ])('in mode %s sends nothing of %o', async (mode, spec) => {
    const server = await testServer((_request, response) => sendJson(response, {}));
    const client = testClient(server.url, { mode });

    await expect(client.request(spec)).rejects.toThrow(ModeViolation);
    expect(server.seen).toEqual([]);
    expect(client.traffic.requests).toBe(0);
  });

  it('cannot be created with a header that overrides the method', () => {
    expect(() =>
      testClient('http://127.0.0.1:1', { headers: { 'x-http-method-override': 'DELETE' } }),
    ).toThrow(ModeViolation);
  });
});

describe('guardWire', () => {
  const base = new URL('http://site.example/blog');
  const request = { url: 'http://site.example/blog/index.php?rest_route=/', method: 'GET', headers: {} };

  it('allows a read of the target', () => {
    expect(() => guardWire('read', base, request)).not.toThrow();
  });

  it.each([
    ['another host', 'http://other.example/'],
    ['another port', 'http://site.example:8080/'],
    ['another scheme', 'https://site.example/'],
    ['credentials', 'http://a:b@site.example/'],
  ])('sends nothing to an address with %s', (_case, url) => {
    expect(() => guardWire('full', base, { ...request, url })).toThrow(TargetError);
  });

  it.each([
    ['a parameter of the address', { url: `${request.url}&_method=DELETE` }],
    ['a header', { headers: { 'x-http-method-override': 'DELETE' } }],
  ])('sends no override in %s, in any mode', (_case, change) => {
    expect(() => guardWire('full', base, { ...request, ...change })).toThrow(ModeViolation);
  });

  it('sends only reads in mode read', () => {
    expect(() => guardWire('read', base, { ...request, method: 'POST' })).toThrow(ModeViolation);
    expect(() => guardWire('validate', base, { ...request, method: 'POST' })).not.toThrow();
  });
});
