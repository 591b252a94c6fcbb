import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The folder of the project. */
export const ROOT: string = join(import.meta.dirname, '..');

const IGNORED: readonly string[] = [
  '.git',
  ...readFileSync(join(ROOT, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => /^[^#*]/.test(line))
    .map((line) => line.replaceAll(/^\/|\/$/g, '')),
];

/** All files of the project, as paths relative to its folder with `/`, without those in `.gitignore`. */
export function projectFiles(): string[] {
  return walk(ROOT).map((path) => relative(ROOT, path).split(sep).join('/'));
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((found) => {
    const path = join(folder, found.name);
    if (IGNORED.includes(found.name) || IGNORED.includes(relative(ROOT, path))) return [];
    return found.isDirectory() ? walk(path) : found.isFile() && !found.name.endsWith('.log') ? [path] : [];
  });
}

/** The text of a file of the project. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
