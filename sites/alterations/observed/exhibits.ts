import type { Exhibit } from './exhibit.ts';
import { HEADER_EXHIBITS } from './headers.ts';
import { LINK_EXHIBITS } from './links.ts';
import { LIST_EXHIBITS } from './lists.ts';
import { REFUSAL_EXHIBITS } from './refusals.ts';
import { RIGHT_EXHIBITS } from './rights.ts';
import { VALUE_EXHIBITS } from './values.ts';

/** Changes that clients have reported, each with the change that a comparison must report. */
export const EXHIBITS: readonly Exhibit[] = [
  ...VALUE_EXHIBITS,
  ...LINK_EXHIBITS,
  ...HEADER_EXHIBITS,
  ...REFUSAL_EXHIBITS,
  ...LIST_EXHIBITS,
  ...RIGHT_EXHIBITS,
];
