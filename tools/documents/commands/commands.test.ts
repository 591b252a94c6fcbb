import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from '../../../tests/project-files.ts';
import { fencesIn, isUnclean } from './follow.fixture.ts';
import { NOT_RUN, PAGES } from './pages.fixture.ts';

const LANGUAGES: readonly string[] = ['sh', 'text', 'json', 'ts', 'js', 'xml', 'yaml'];
const DOCUMENTS = projectFiles()
  .filter((file) => /^(?:README|CONTRIBUTING|docs\/.*)\.md$/.test(file))
  .map((file): [string, string] => [file, readText(file)]);
const SCRIPTS = DOCUMENTS.flatMap(([, text]) => fencesIn(text).filter(({ language }) => language === 'sh'));

describe('the blocks of code of the documents', () => {
  it.each(DOCUMENTS)('say what they are: %s', (_, text) => {
    expect(fencesIn(text).filter(({ language }) => !LANGUAGES.includes(language))).toEqual([]);
  });

  it('are commands only in documents that a test follows', () => {
    const withCommands = DOCUMENTS.filter(([, text]) =>
      fencesIn(text).some(({ language }) => language === 'sh'),
    );

    expect(Object.keys(PAGES).toSorted()).toEqual(withCommands.map(([file]) => file).toSorted());
  });

  const elsewhere = Object.entries(PAGES).flatMap(([document, page]) =>
    Object.entries(page.elsewhere ?? {}).map(([part, test]) => ({ document, part, test })),
  );

  it.each(elsewhere)(
    'are run by a test that reads the page: $document, $part',
    ({ document, part, test }) => {
      expect(readText(document)).toContain(part);
      expect(readText(test)).toContain(basename(document));
    },
  );

  it.each(Object.keys(NOT_RUN))('still have the command that is not run: %s', (beginning) => {
    const lines = SCRIPTS.flatMap(({ text }) => text.split('\n'));
    const words = beginning.split(' ').filter((word) => word !== '*');

    expect(lines.some((line) => line.trimStart().startsWith(words.join(' ')))).toBe(true);
  });
});

describe('what programs read', () => {
  const examples = projectFiles().filter((file) => /\.(?:md|ya?ml)$|^cli\/command-examples\.ts$/.test(file));

  it.each(examples)('is never printed below the lines that npm puts first: %s', (file) => {
    const lines = readText(file).replaceAll('\\\n', ' ').split('\n');

    expect(lines.filter(isUnclean)).toEqual([]);
  });
});
