import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../client/json.ts';
import { selectorOf } from '../../engine/glob.ts';

/** What the kill matrix is allowed to show, and why: reviewed like code. */
export interface Exception {
  /** Id of a mutant or check, or a glob. */
  readonly id: string;
  readonly reason: string;
}

/** All exceptions, by what they allow. */
export interface Exceptions {
  /** Mutants that survive, or that other checks alone notice. */
  readonly survivors: readonly Exception[];
  /** Checks that no mutant makes fail. */
  readonly idle: readonly Exception[];
  /** Mutants that fail many checks. */
  readonly many: readonly Exception[];
}

const FILE = join(import.meta.dirname, 'exceptions.json');
const KINDS = ['survivors', 'idle', 'many'] as const;

/** Reads the exceptions of the project. @throws Error that names what is wrong with the file */
export function readExceptions(): Exceptions {
  const json: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  const [survivors, idle, many] = KINDS.map((kind) => listOf(json, kind));
  return { survivors: survivors ?? [], idle: idle ?? [], many: many ?? [] };
}

function listOf(json: unknown, kind: string): Exception[] {
  const listed = isObject(json) ? json[kind] : undefined;
  if (!Array.isArray(listed)) throw new Error(`exceptions.json: "${kind}" is no list`);
  return listed.map((one: unknown, at) => {
    if (!isObject(one) || typeof one.id !== 'string' || typeof one.reason !== 'string' || one.reason === '') {
      throw new Error(`exceptions.json: ${kind}[${at}] needs an id and a reason`);
    }
    return { id: one.id, reason: one.reason };
  });
}

/** The exception that allows an id; undefined when none does. */
export function exceptionFor(id: string, exceptions: readonly Exception[]): Exception | undefined {
  return exceptions.find((one) => covers(one, id));
}

/** Whether an exception is about an id. */
export function covers({ id: glob }: Exception, id: string): boolean {
  return id === glob || selectorOf(glob)(id);
}
