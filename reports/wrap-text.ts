/**
 * Breaks text into lines of at most `width` UTF-16 units, at blanks where there are any; a word longer than a
 * line is cut. Line breaks of the text stay. A non-positive width counts as 1.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const cut = blank > 0 ? blank : wholeCharacters(rest, width);
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}

/** The cut nearest to `width` that does not split a surrogate pair. */
function wholeCharacters(text: string, width: number): number {
  return width > 1 && /[\ud800-\udbff]/.test(text.charAt(width - 1)) ? width - 1 : width;
}
