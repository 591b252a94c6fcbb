/** The programs in a document with a name, as in `// check.ts`. */
export function examplesIn(document: string): Readonly<Record<'name' | 'text', string>>[] {
  return [...document.matchAll(/^```ts\n(\/\/ ([\w.-]+\.ts)\n.*?)^```/gms)].map(
    ([, text = '', name = '']) => ({ name, text }),
  );
}
