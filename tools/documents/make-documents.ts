import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles, ROOT } from '../../tests/project-files.ts';
import { CONFIG_SCHEMA, withGenerated, withSettings } from './generated.ts';

// Updates the generated parts of all documents.
for (const file of projectFiles().filter((one) => one.endsWith('.md'))) {
  const path = join(ROOT, file);
  const before = readFileSync(path, 'utf8');
  const after = withGenerated(before);
  if (after === before) continue;
  writeFileSync(path, after);
  process.stdout.write(`${file}\n`);
}

const schema: string = join(ROOT, CONFIG_SCHEMA);
writeFileSync(schema, JSON.stringify(withSettings(readFileSync(schema, 'utf8'))));
execFileSync('npx', ['biome', 'format', '--write', schema]);
