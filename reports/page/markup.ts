import { html as template } from 'htm/preact';
import type { VNode } from 'preact';
import { shorten } from '../text.ts';

/** A piece of a page. */
export type Markup = VNode;

/** What a template takes: text, which is escaped, and pieces of a page. */
export type Part = string | number | Markup | null | undefined | false | readonly Part[];

/** A template of one element. Text that is put in stays text, in an attribute as well. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return template(texts, ...parts);
}

const LONGEST = 700;

/** Text of a target, bounded. What is hidden in it is spelled out where the whole page is. */
export function cut(text: string, limit: number = LONGEST): string {
  return shorten(text, limit);
}
