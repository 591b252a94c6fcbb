/** A program in a document: the name that its first line gives it, and its text. */
interface Example {
  readonly name: string;
  readonly text: string;
}

/** The programs in a document that have a name, as in `// check.ts`. */
export function examplesIn(document: string): Example[] {
  return [...document.matchAll(/^```ts\n(\/\/ ([\w.-]+\.ts)\n.*?)^```/gms)].map(
    ([, text = '', name = '']) => ({ name, text }),
  );
}
