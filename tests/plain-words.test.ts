import { expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

/** Words of this project's own, and the usual ones. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  'depends on': /\b(?:hangs? on|hung on)\b/i,
  fix: /\bmend(?:s|ed|ing)?\b/i,
  'honour, apply': /\b(?:un)?heed(?:s|ed|ing)?\b/i,
  inconclusive: /\buntold\b/i,
  others: /\bstrangers?\b/i,
  'required arguments': /\bcompanions?\b/i,
  violation: /\bmisfits?\b/i,
  'nothing was checked': /\bblindness\b/i,
  conventions: /\brules of the house\b/i,
};

// Text between grave accents is a name: a member of a document, an option, a file.
const CODE = /^( *)```.*?^\1```|`[^`\n]+`/gms;

it('documents use plain words', () => {
  const pages = projectFiles().filter((file) =>
    /^(?:docs\/.*|README|CONTRIBUTING|ARCHITECTURE)\.md$/.test(file),
  );
  const found = pages.flatMap((file) => {
    const text = readText(file).replaceAll(CODE, '');
    return Object.entries(OWN_WORDS).flatMap(([plain, word]) => {
      const [own] = word.exec(text) ?? [];
      return own === undefined ? [] : [`${file}: "${own}": write ${plain}`];
    });
  });

  expect(found).toEqual([]);
});
