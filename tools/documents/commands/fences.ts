/** A block of code in a document. */
interface Fence {
  /** What stands behind the opening mark; empty where nothing does. */
  readonly language: string;
  /** The line of the opening mark, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const FENCE = /^( *)```([^\n]*)\n(.*?)^\1```$/gms;

/** The blocks of code in a text of Markdown, those within lists too. */
export function fencesIn(markdown: string): Fence[] {
  return [...markdown.matchAll(FENCE)].map((found) => {
    const [, indent = '', language = '', text = ''] = found;
    const line = markdown.slice(0, found.index).split('\n').length;
    return { language, line, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

/** The first word of each command in a block for the shell, without the settings of its environment. */
export function programsIn(script: string): string[] {
  const whole = script.replaceAll('\\\n', ' ');
  let open = '';
  const programs: string[] = [];
  for (const line of whole.split('\n')) {
    const starts = open === '';
    for (const [sign] of line.matchAll(/["']/g)) {
      if (open === '') open = sign;
      else if (open === sign) open = '';
    }
    const [, program] = /^ *(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|\S*) +)*([^\s#]\S*)/.exec(line) ?? [];
    if (starts && program !== undefined) programs.push(program);
  }
  return programs;
}
