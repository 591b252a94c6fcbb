import { member } from '../json.ts';
import type { SiteIndex, SiteRoute } from '../site-index.ts';

/** A route of the index, under which answers are noted. */
export interface Template {
  /** Path parameters as `{name}`. */
  readonly route: string;
  readonly namespace: string;
  readonly methods: ReadonlySet<string>;
  readonly args: (method: string) => Readonly<Record<string, unknown>>;
}

/** Finds the route of a path by the text around its path parameters. Patterns of a target are never run. */
export class TemplateFinder {
  readonly #exact = new Map<string, Template>();
  /** Sorted by the length of their text, the longest first. */
  readonly #open: (Around & { readonly template: Template })[] = [];

  constructor(index: SiteIndex) {
    for (const route of index.routes) {
      const template = templateOf(route);
      const around = textsAround(route);
      if (around.texts.length === 1) this.#exact.set(template.route, template);
      else this.#open.push({ ...around, template });
    }
    this.#open.sort((one, other) => lengthOf(other.texts) - lengthOf(one.texts));
  }

  find(path: string): Template | undefined {
    const trimmed = path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path;
    return this.#exact.get(trimmed) ?? this.#open.find((route) => fits(trimmed, route))?.template;
  }
}

function templateOf(route: SiteRoute): Template {
  const namespace = member(route.raw, 'namespace');
  return {
    route: route.parts.map((part) => ('text' in part ? part.text : `{${part.pathParameter}}`)).join(''),
    namespace: typeof namespace === 'string' ? namespace : '',
    methods: new Set(route.endpoints.flatMap(({ methods }) => methods)),
    args: (method) => route.endpoints.find(({ methods }) => methods.includes(method))?.args ?? {},
  };
}

/** The texts between path parameters (one more than parameters), and whether each parameter may hold a slash. */
interface Around {
  readonly texts: readonly string[];
  readonly slashes: readonly boolean[];
}

function textsAround({ parts }: SiteRoute): Around {
  const texts = [''];
  const slashes: boolean[] = [];
  for (const part of parts) {
    if ('text' in part) texts[texts.length - 1] += part.text;
    else {
      texts.push('');
      slashes.push(part.pattern.replaceAll(/\[\^[^\]]*\]/g, '').includes('/'));
    }
  }
  return { texts, slashes };
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function fits(path: string, { texts, slashes }: Around): boolean {
  const [first = '', ...rest] = texts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [place, text] of rest.entries()) {
    const isLast = place === rest.length - 1;
    const found = isLast ? path.length - text.length : path.indexOf(text, at + 1);
    if (found <= at || (isLast && !path.endsWith(text))) return false;
    if (slashes[place] !== true && path.slice(at, found).includes('/')) return false;
    at = found + text.length;
  }
  return true;
}
