import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { toOpenApi } from '../../specs/exports/openapi.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { validatorOf } from '../../specs/validators.ts';
import type { Reduction } from './recording.ts';
import { reduceRecording } from './reduce.ts';

const SITE = 'https://shop.example/wp-json/wp/v2';
const TOKEN = 'qJxkfTzuwPlm';

function reduced(text: string | Buffer): Promise<Reduction> {
  const path = join(testFolder({}), 'recording');
  writeFileSync(path, text);
  return reduceRecording(path);
}

function entry(
  url: string,
  answer: unknown,
  more: { headers?: object; method?: string; status?: number } = {},
): object {
  const { headers = {}, method = 'GET', status = 200 } = more;
  return {
    request: { method, url, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
    response: { status, content: { mimeType: 'application/json', text: JSON.stringify(answer) } },
  };
}

function har(...entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', entries } });
}

describe('the reduction of a HAR', () => {
  it('keeps operations, kinds of values, context, caller and members, in a fixed order', async () => {
    const list = entry(
      `${SITE}/posts?per_page=20&search=secret+plans&context=edit`,
      [{ id: 7, title: { raw: 'x' } }],
      {
        headers: { Authorization: `Bearer ${TOKEN}` },
      },
    );
    const one = entry(`${SITE}/posts/1234567?_fields=id,link`, {
      id: 1234567,
      link: 'https://shop.example/x',
    });
    const { uses, host } = await reduced(har(list, one));

    expect(host).toBe('shop.example');
    expect(uses).toEqual([
      {
        method: 'GET',
        route: '/wp/v2/posts',
        caller: 'user',
        context: 'edit',
        parameters: { per_page: { kinds: ['integer'], least: 20, most: 20 }, search: { kinds: ['text'] } },
        answers: ['accepted'],
        members: ['id', 'title.raw'],
      },
      {
        method: 'GET',
        route: '/wp/v2/posts/{id}',
        caller: 'anonymous',
        context: 'view',
        parameters: { _fields: { kinds: ['list'] } },
        answers: ['accepted'],
        members: ['id', 'link'],
      },
    ]);
    expect(await reduced(har(one, list, one))).toEqual(expect.objectContaining({ uses }));
  });

  it('holds no credential, host, slug or other name of a recording', async () => {
    const { uses, left } = await reduced(
      har(
        entry(
          `https://user:${TOKEN}@shop.example/wp-json/wp/v2/posts?${TOKEN}=1&_wpnonce=${TOKEN}&search=${TOKEN}`,
          [{ id: 1, [TOKEN]: 2, __proto__: 3, 'a b': { [TOKEN]: TOKEN } }],
          { headers: { cookie: `wordpress_logged_in_x=${TOKEN}`, 'X-WP-Nonce': TOKEN } },
        ),
        entry(`${SITE}/posts?per_page=1`, []),
        entry(`https://shop.example/wp-json/acme/v1/orders/${TOKEN}/red-shoes?page=2`, []),
        entry('https://other.example/wp-json/wp/v2/users', [{ name: 'Ann' }]),
        ...Array.from({ length: 30 }, (_, at) => entry(`https://h${at}.example/wp-json/wp/v2/posts`, [])),
      ),
    );
    const text = JSON.stringify(uses);

    for (const word of [TOKEN, 'example', 'red-shoes', 'Ann', 'nonce']) expect(text).not.toContain(word);
    expect(uses.map(({ route }) => route)).toEqual([
      '/acme/v1/orders/{value}/{value}',
      '/wp/v2/posts',
      '/wp/v2/posts',
    ]);
    expect(left.get('calls of other hosts')).toBe(31);
    expect(left.get('parameters whose names may be secrets')).toBe(1);
  });

  it('skips and counts entries that are broken, binary or about something else', async () => {
    const picture = {
      request: { method: 'GET', url: 'https://shop.example/a.png', headers: [] },
      response: { status: 200, content: { mimeType: 'image/png', encoding: 'base64', text: 'AAAA' } },
    };
    const wrong = {
      ...entry(`${SITE}/pages`, []),
      response: { status: 200, content: { mimeType: 'application/json', text: '<html>' } },
    };
    const { uses, left } = await reduced(
      har(null, 7, {}, { request: 5 }, picture, wrong, entry(`${SITE}/media`, [])),
    );

    expect(uses.map(({ route }) => route)).toEqual(['/wp/v2/media', '/wp/v2/pages']);
    expect(Object.fromEntries(left)).toEqual({
      'entries that cannot be read': 2,
      'requests that are not of the interface': 1,
      'answers that are not JSON, or too large': 1,
    });
  });

  it('reads a cookie and an address with endless repetition', async () => {
    const cookie = 'logged_in'.repeat(100_000);
    const { uses } = await reduced(
      har(entry(`${SITE}/posts${'/'.repeat(50_000)}x`, [], { headers: { cookie } })),
    );

    expect(uses.map(({ caller }) => caller)).not.toContain('user');
  });

  it('keeps what comes before the end or the break of a file', async () => {
    const whole = har(entry(`${SITE}/posts`, []), entry(`${SITE}/pages`, [{ text: 'x'.repeat(10_000) }]));
    const cut = await reduced(whole.slice(0, -120));
    const broken = await reduced(whole.replace(/\]\}\}$/, '!'));
    const deep = await reduced(whole.replace(/\]\}\}$/, `,${'['.repeat(100_000)}`));

    for (const { uses, left } of [cut, broken, deep]) {
      expect(uses.map(({ route }) => route)).toContain('/wp/v2/posts');
      expect([...left.keys()].some((why) => why.startsWith('the rest of the file'))).toBe(true);
    }
  });

  it('recognises forms and files in bodies', async () => {
    const form = (mimeType: string, text: string): object => {
      const sent = entry(`${SITE}/media`, { id: 7 }, { method: 'POST' });
      return { ...sent, request: { ...Object(sent).request, postData: { mimeType, text } } };
    };
    const parts = [
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG',
      '--x\r\nContent-Disposition: form-data; name="alt_text"\r\n\r\nA gull\r\n--x--',
    ];
    const { uses } = await reduced(
      har(
        form('multipart/form-data; boundary=x', parts.join('\r\n')),
        form('application/x-www-form-urlencoded', 'title=Gulls&status=draft'),
        form('application/json', '{"title":"Gulls"}'),
        entry(`${SITE}/media/7`, {}, { method: 'POST', headers: { 'Content-Type': 'multipart/form-data' } }),
      ),
    );

    expect(uses.map(({ body, parameters }) => [body, Object.keys(parameters)])).toEqual([
      ['form', ['alt_text']],
      ['form', ['status', 'title']],
      [undefined, ['title']],
      ['form', []],
    ]);
    expect(JSON.stringify(uses)).not.toMatch(/gull|png/i);
  });

  it('recognises a method that a library sends as another one', async () => {
    const { uses } = await reduced(
      har(
        entry(`${SITE}/posts/7`, { id: 7 }, { method: 'POST', headers: { 'X-HTTP-Method-Override': 'PUT' } }),
      ),
    );

    expect(uses[0]?.method).toBe('PUT');
  });
});

function lettersOf(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

describe('the reduction of an access log', () => {
  const line = (request: string, user = '-', status = 200): string =>
    `203.0.113.9 - ${user} [22/Nov/2026:10:00:00 +0000] "${request}" ${status} 512`;

  it('reads the common and the combined format, also in gzip', async () => {
    const log = [
      line('GET /wp-json/wp/v2/posts?per_page=5&_fields=id,title.rendered HTTP/1.1'),
      `${line('GET /?rest_route=%2Fwp%2Fv2%2Fpages%2F12 HTTP/2.0', 'Ann Other')} "https://shop.example/" "Mozilla/5.0"`,
      line('GET /style.css HTTP/1.1'),
      'nonsense',
      'x'.repeat(100_000),
    ].join('\n');
    const plain = await reduced(log);

    expect(plain.uses.map(({ route, caller, members }) => [route, caller, members])).toEqual([
      ['/wp/v2/pages/{id}', 'user', 'unknown'],
      ['/wp/v2/posts', 'anonymous', ['id', 'title.rendered']],
    ]);
    expect(Object.fromEntries(plain.left)).toEqual({
      'requests that are not of the interface': 1,
      'lines that are of no access log': 2,
    });
    expect(await reduced(gzipSync(log))).toEqual(plain);
  });

  it('needs no more memory for many hosts than for one', async () => {
    const lines = Array.from({ length: 2000 }, (_, at) => {
      const names = Array.from({ length: 40 }, (__, name) => `${lettersOf(at)}_${lettersOf(name)}=1`);
      return line(`GET http://h${at % 20}.example/wp-json/wp/v2/posts?${names.join('&')} HTTP/1.1`);
    });
    const { uses, left } = await reduced(lines.join('\n'));

    expect(uses.length).toBeLessThan(100);
    expect([...left.keys()]).toContainEqual(expect.stringContaining('calls beyond what is held'));
  });

  it('recognises refused calls', async () => {
    const { uses } = await reduced(line('GET /wp-json/wp/v2/settings HTTP/1.1', '-', 401));

    expect(uses[0]?.answers).toEqual(['refused']);
  });
});

describe('the reduction of a description', () => {
  it('reads the descriptions of an OpenAPI document', async () => {
    const contract = loadContract({ deployment: 'core', vocabulary: 'wordpress' });
    const { uses } = await reduced(
      JSON.stringify(toOpenApi(contract, { base: undefined, pretty: 'wp-json' })),
    );
    const list = uses.find(({ method, route }) => method === 'GET' && route === '/wp/v2/posts');

    expect(uses.length).toBeGreaterThan(30);
    expect(list?.parameters.per_page).toEqual({ kinds: ['integer'] });
    expect(validatorOf('client.schema.json')({ format: 1, kind: 'client', uses })).toBe(true);
  });

  it('reads the interactions of a Pact', async () => {
    const pact = {
      consumer: { name: 'app' },
      interactions: [
        {
          request: {
            method: 'get',
            path: '/wp/v2/posts',
            query: { per_page: ['5'] },
            headers: { Authorization: 'x' },
          },
          response: { status: 200, body: [{ id: 1, title: { rendered: 'x' } }] },
        },
      ],
    };

    expect((await reduced(JSON.stringify(pact))).uses).toMatchObject([
      { method: 'GET', route: '/wp/v2/posts', caller: 'user', members: ['id', 'title.rendered'] },
    ]);
  });

  it('counts skipped interactions of a Pact', async () => {
    const interactions = ['options', 'connect'].map((method) => ({
      request: { method, path: '/wp/v2/posts' },
    }));
    const { uses, left } = await reduced(JSON.stringify({ interactions }));

    expect(uses).toEqual([]);
    expect([...left.values()]).toEqual([1, 1]);
  });

  it.each(['', 'openapi: 3.1.0\npaths: {}', '{"a": 1}', '[]'])('refuses %j', async (text) => {
    await expect(reduced(text)).rejects.toThrow('is no HAR, access log, OpenAPI document or Pact');
  });
});
