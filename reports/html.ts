/** Markup that is escaped already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** A template of markup: what is put in is escaped, unless it is markup itself. */
export function html(texts: readonly string[], ...parts: readonly Part[]): Markup {
  return new Markup(
    texts.map((text, at) => (at === 0 ? text : `${rendered(parts[at - 1] ?? '')}${text}`)).join(''),
  );
}

function rendered(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
