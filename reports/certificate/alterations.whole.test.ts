import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../specs/validators.ts';
import { certificateFolder, keysOf, RELEASE, reseal, TOOL } from './certificate.fixture.ts';
import { FILES, HINTS, PUBLIC_KEY } from './documents.ts';
import { verifyCertificate } from './verify.ts';

const { key, publicKey } = keysOf();
const HINTED = { key, hints: '{}\n', plan: { hints: HINTS } } as const;
const ALL: readonly string[] = [...Object.values(FILES), HINTS, PUBLIC_KEY];

function wrongWith(folder: string, by: typeof publicKey | undefined = publicKey): string[] {
  try {
    return verifyCertificate(folder, by, [RELEASE], TOOL).problems.map(
      ({ about, message }) => `${about}: ${message}`,
    );
  } catch (error) {
    if (error instanceof UsageError) return [error.message];
    throw error;
  }
}

/** Flips the lowest bit of a byte. @param share its position, from the first byte (0) to the last (1) */
function flip(path: string, share: number): void {
  const bytes = readFileSync(path);
  const at = Math.floor((bytes.length - 1) * share);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const ALTERATIONS: Readonly<Record<string, (path: string) => void>> = {
  'its first byte altered': (path) => flip(path, 0),
  'a byte in the middle altered': (path) => flip(path, 0.5),
  'its last byte altered': (path) => flip(path, 1),
  'a byte more': (path) => appendFileSync(path, ' '),
  'half of its bytes': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'no byte': (path) => truncateSync(path, 0),
  'no such file': (path) => rmSync(path),
  'a folder in its place': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'a link to the same bytes in its place': (path) => {
    const elsewhere = join(path, '..', '..', 'elsewhere');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
  },
};

describe('a signed certificate', () => {
  it('consists of the files that are altered here, and is valid', () => {
    const folder = certificateFolder(HINTED);

    expect(readdirSync(folder).toSorted()).toEqual([...ALL].toSorted());
    expect(wrongWith(folder)).toEqual([]);
  });

  it.each(ALL)('is invalid when %s is altered in any way, and the file is named', (name) => {
    const folder = certificateFolder(HINTED);
    const path = join(folder, name);
    const whole = readFileSync(path);
    for (const [what, alter] of Object.entries(ALTERATIONS)) {
      alter(path);

      expect([what, wrongWith(folder).join('\n')]).toEqual([what, expect.stringContaining(name)]);
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, whole);
    }
    expect(wrongWith(folder)).toEqual([]);
  });

  it.each(['more.txt', '.hidden', 'certificate.json.bak', 'a\u001b[31m'])(
    'is invalid with the additional file %j',
    (name) => {
      const folder = certificateFolder(HINTED);
      writeFileSync(join(folder, name), '');

      expect(wrongWith(folder)).toEqual([`${name}: added: the certificate does not name it`]);
    },
  );
});

function placesIn(value: unknown, at: readonly string[] = []): string[][] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]))
      : [];
  return [...(at.length === 0 ? [] : [[...at]]), ...inside];
}

function altered(text: string, [...place]: readonly string[], how: 'other' | 'gone'): string {
  const document: unknown = JSON.parse(text);
  const last = place.pop() ?? '';
  const holder = place.reduce<unknown>((one, name) => Reflect.get(Object(one), name), document);
  if (how === 'other') Reflect.set(Object(holder), last, otherThan(Reflect.get(Object(holder), last)));
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(Object(holder), last);
  return `${JSON.stringify(document, undefined, text.startsWith('{\n') || text.startsWith('[\n') ? 2 : 0)}${text.endsWith('\n') ? '\n' : ''}`;
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return value === 'pass' ? 'warn' : `${value}0`;
  return Array.isArray(value) ? [...value, 'more'] : { ...Object(value), more: true };
}

function survivors(folder: string, name: string, values: (text: string) => readonly string[]): number[] {
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  const held = values(text).flatMap((one, at) => {
    writeFileSync(path, one);
    reseal(folder, key);
    return one !== text && wrongWith(folder).length === 0 ? [at] : [];
  });
  return held;
}

describe('a certificate with matching digests, signed with the key of its author', () => {
  it.each([FILES.subject, FILES.plan, FILES.results, FILES.coverage, FILES.badge])(
    'is invalid when any value of %s is changed or missing',
    (name) => {
      const folder = certificateFolder(HINTED);
      const places = placesIn(JSON.parse(readFileSync(join(folder, name), 'utf8')));

      expect(places.length).toBeGreaterThan(3);
      for (const how of ['other', 'gone'] as const) {
        const held = survivors(folder, name, (text) => places.map((place) => altered(text, place, how)));
        expect(held.map((at) => `${places[at]?.join('.')} ${how}`)).toEqual([]);
      }
    },
  );

  it('is invalid when any value of an event is changed, or an event is missing', () => {
    const folder = certificateFolder(HINTED);
    const held = survivors(folder, FILES.events, (text) => {
      const lines = text.trimEnd().split('\n');
      return lines.flatMap((line, at) =>
        [[], [`${line} `], ...placesIn(JSON.parse(line)).map((place) => [altered(line, place, 'other')])].map(
          (instead) => `${lines.toSpliced(at, 1, ...instead).join('\n')}\n`,
        ),
      );
    });

    expect(held).toEqual([]);
  });

  it.each([FILES.subject, FILES.plan, FILES.results, FILES.events])(
    'is invalid when %s has a duplicate member, which parsers read differently',
    (name) => {
      const folder = certificateFolder(HINTED);

      expect(
        survivors(folder, name, (text) => [
          text.replace(/{(\s*"\w+":)/, '{$1 9,$1'),
          text.replace('{', '{ '),
        ]),
      ).toEqual([]);
    },
  );

  it.each([FILES.junit, FILES.page, FILES.repeat, FILES.index, PUBLIC_KEY])(
    'is invalid when %s says something else',
    (name) => {
      const folder = certificateFolder(HINTED);

      expect(survivors(folder, name, (text) => [`${text}\n`, text.slice(0, -1)])).toEqual([]);
    },
  );

  it('is invalid with events that nest deeper than those of any run', () => {
    const folder = certificateFolder(HINTED);
    const deep = `{"event":"notice","notice":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`;

    expect(survivors(folder, FILES.events, (text) => [text.replace('\n', `\n${deep}`)])).toEqual([]);
    expect(wrongWith(folder)).toEqual([
      expect.stringContaining('events.ndjson: nests deeper than 200 levels'),
    ]);
  });

  it('is invalid with a file that does not belong to it, or without one that does', () => {
    const more = certificateFolder(HINTED);
    writeFileSync(join(more, 'virus.sh'), 'echo');
    reseal(more, key);
    const less = certificateFolder(HINTED);
    rmSync(join(less, FILES.badge));
    reseal(less, key);

    expect(wrongWith(more)).toEqual(['virus.sh: is no file of such a certificate']);
    expect(wrongWith(less)).toEqual(['badge.json: missing']);
  });
});

function alteredAnywhere(text: string): string[] {
  return placesIn(JSON.parse(text)).flatMap((place) => [
    altered(text, place, 'other'),
    altered(text, place, 'gone'),
  ]);
}

describe('certificate.json', () => {
  it('is invalid when any value of it is changed, missing or duplicated', () => {
    const folder = certificateFolder(HINTED);
    const path = join(folder, FILES.certificate);
    const text = readFileSync(path, 'utf8');
    const texts = [
      ...alteredAnywhere(text),
      text.replace('{', '{"payload":"",'),
      text.replace('"signatures": [', '"signatures": [],\n  "signatures": ['),
    ];

    for (const one of texts) {
      writeFileSync(path, one);
      expect(wrongWith(folder)).not.toEqual([]);
    }
  });

  it('is invalid when any value of its statement is changed, missing or duplicated, whoever signs it', () => {
    for (const by of [undefined, key]) {
      const folder = certificateFolder(HINTED);
      const { payload } = JSON.parse(readFileSync(join(folder, FILES.certificate), 'utf8'));
      const text = Buffer.from(payload, 'base64').toString('utf8');
      const texts = [
        ...alteredAnywhere(text),
        text.replace('{', '{"subject":[],'),
        text.replace('{', '{ '),
        text.replace(/[0-9a-f]{64}/, (digest) => digest.toUpperCase()),
        text.replace('subject.json', '../subject.json'),
      ];
      const whole = readFileSync(join(folder, FILES.certificate));
      const held = texts.filter((one) => {
        writeFileSync(join(folder, FILES.certificate), whole);
        reseal(folder, by, () => one);
        return wrongWith(folder, by && publicKey).length === 0;
      });

      expect(held).toEqual([]);
    }
  });
});
