import { sep } from 'node:path';

/** How a caller starts the program, as the beginning of a line for a shell; @param folder where its code lies */
export function programIn(folder: string): string {
  return folder.split(sep).includes('node_modules') ? 'npx site-conformance' : 'npm start --';
}
