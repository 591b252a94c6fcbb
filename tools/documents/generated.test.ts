import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from '../../tests/project-files.ts';
import { CONFIG_SCHEMA, withGenerated, withSettings } from './generated.ts';

const MARKED = projectFiles()
  .filter((file) => file.endsWith('.md'))
  .map((file): [string, string] => [file, readText(file)])
  .filter(([, text]) => text.includes('<!-- generated: '));

describe('the generated parts of documents', () => {
  it.each(MARKED)('are up to date in %s (npm run documents)', (_, text) => {
    expect(withGenerated(text)).toBe(text);
  });

  it('and the schema of a configuration file say what the table of options does', () => {
    const text = readText(CONFIG_SCHEMA);

    expect(withSettings(text)).toEqual(JSON.parse(text));
  });

  it('are made anew where they are stale, and refused where they are unknown', () => {
    const stale = 'a\n<!-- generated: lint -->\nold\n<!-- /generated -->\nb';

    expect(withGenerated(stale)).toMatch(
      /^a\n<!-- generated: lint -->\n\n\| rule .*\n<!-- \/generated -->\nb$/s,
    );
    expect(() => withGenerated('<!-- generated: nothing -->\n\n<!-- /generated -->')).toThrow(/"nothing"/);
  });
});
