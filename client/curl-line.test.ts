import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { routeUrl } from './address.ts';
import { curlLine, shellQuote } from './curl-line.ts';

const HOSTILE = [
  '$(touch pwned)',
  '`touch pwned`',
  '"; touch pwned; "',
  "'; touch pwned; '",
  `it's $HOME and \${HOME}`,
  '\\',
  "\\'",
  'a\\nb',
  'line\nbreak\ttab\rreturn',
  "mixed '\n\\' quotes",
  '\u001b[31mred\u001b[0m',
  '\u009b31mred',
  '\u0001f and 0',
  '',
  ' ',
  '~/*?[a]{b,c}!#&|<>();',
  '-X',
  'ünï 🙂 \u2028',
  'a=b&c=%00',
];

function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C.UTF-8',
      SITE_CONFORMANCE_PASSWORD: 'p w"$(x)',
      SECRET: 's "$(x)',
    },
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.split('\0').slice(0, -1);
}

describe('shellQuote', () => {
  it('keeps every hostile text as a single argument', () => {
    expect(argumentsOf(`curl ${HOSTILE.map(shellQuote).join(' ')}`)).toEqual(HOSTILE);
  });

  it.each(HOSTILE)('writes %j without characters that a terminal acts on', (text) => {
    expect(shellQuote(text)).not.toMatch(/\p{Cc}/u);
  });

  it('leaves a plain address unchanged', () => {
    expect(shellQuote('http://127.0.0.1/a%20b')).toBe('http://127.0.0.1/a%20b');
  });
});

const STATUS = '\\n%{http_code}\\n';

describe('curlLine', () => {
  it('names the variable of the password', () => {
    const about = { method: 'GET', url: 'http://127.0.0.1/', user: 'erika' };

    expect(curlLine(about)).toContain('-u erika:"$SITE_CONFORMANCE_PASSWORD"');
    expect(curlLine({ ...about, passwordFrom: 'OLD_PASSWORD' })).toContain('-u erika:"$OLD_PASSWORD"');
  });

  it('keeps hostile texts in place, and secrets in variables', () => {
    for (const text of HOSTILE) {
      const url = routeUrl(new URL('http://127.0.0.1'), `/${text}`, [[text, text]]);
      const line = curlLine({
        method: 'POST',
        url,
        user: text,
        secretHeaders: ['x-gate', "x'`$x`"],
        body: { json: { [text]: text } },
      });

      expect(argumentsOf(line)).toEqual([
        ...['-sS', '-g', '-w', STATUS, '-X', 'POST', '-u', `${text}:p w"$(x)`],
        ...['-H', 'x-gate: s "$(x)', '-H', 'x\'`$x`: s "$(x)'],
        ...['-H', 'Content-Type: application/json', '--data-raw', JSON.stringify({ [text]: text })],
        url,
      ]);
    }
  });

  it('repeats a form as sent', () => {
    const body = { form: [['title', "it's"]] } as const;

    expect(argumentsOf(curlLine({ method: 'POST', url: 'http://127.0.0.1/', body }))).toEqual([
      ...['-sS', '-g', '-w', STATUS, '-X', 'POST', '-H', 'Content-Type: application/x-www-form-urlencoded'],
      ...['--data-raw', 'title=it%27s', 'http://127.0.0.1/'],
    ]);
  });

  it('repeats a raw body with its type and name, byte by byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const body = { bytes, type: 'image/png', disposition: 'attachment; filename="$(x).png"' };
    const line = curlLine({ method: 'PUT', url: 'http://127.0.0.1/', body });
    const received = spawnSync('bash', ['--norc', '-c', `curl() { cat "\${12#@}"; }; ${line}`]);

    expect(line).toContain('image/png');
    expect(received.stderr.toString()).toBe('');
    expect([...received.stdout]).toEqual([...bytes]);
  });

  it('refers to a file for long bytes', () => {
    const body = {
      bytes: new Uint8Array(1000),
      type: 'image/png',
      disposition: 'attachment; filename="$(x).png"',
    };

    expect(argumentsOf(curlLine({ method: 'PUT', url: 'http://127.0.0.1/', body }))).toEqual([
      ...['-sS', '-g', '-w', STATUS, '-X', 'PUT', '-H', 'Content-Type: image/png'],
      ...['-H', 'Content-Disposition: attachment; filename="$(x).png"', '--data-binary', '@FILE'],
      'http://127.0.0.1/',
    ]);
  });

  it('shortens a body that nobody would read', () => {
    const line = curlLine({ method: 'POST', url: 'http://127.0.0.1/', body: { json: 'x'.repeat(100_000) } });

    expect(line.length).toBeLessThan(2200);
    expect(line).toContain('…');
  });
});
