import type { Arguments } from './parameter.ts';
import { Refusal } from './refusal.ts';
import type { Store } from './store.ts';

/** A site at one stage of its completeness. */
export interface Site {
  readonly store: Store;
  /** The address that visitors know. */
  readonly home: string;
  /** What it can do by now. */
  readonly features: ReadonlySet<string>;
}

export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** One request to an endpoint, its arguments read. */
export interface Call {
  readonly site: Site;
  /** Undefined for a stranger. */
  readonly user: number | undefined;
  readonly args: Arguments;
  readonly upload: Upload | undefined;
}

export interface Reply {
  readonly status: number;
  /** Undefined where there is nothing to say. */
  readonly body: unknown;
}

/** The user of a call that no stranger may make. @throws Refusal */
export function userOf({ user }: Call): number {
  if (user === undefined) throw new Refusal(401, 'only for users of this site');
  return user;
}

/** An argument that is a number; undefined where it was not sent. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** An argument that is a text; undefined where it was not sent. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An argument that is a list; undefined where it was not sent or is empty, which filters nothing. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** A member of an argument that is an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
