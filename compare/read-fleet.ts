import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../client/answer.ts';
import { describeError, validatorOf } from '../specs/validators.ts';
import type { Fleet } from './fleet.ts';

/** A file that is no fleet, or fleets that do not belong together: one line that names it and what to do. */
export class UnreadableFleet extends Error {
  override readonly name: string = 'UnreadableFleet';
}

const SCHEMA = 'fleet.schema.json';
const LARGEST = 200_000_000;
const MOST_VALUES = 5_000_000;

/** The file of a fleet, and what it says. */
export interface FleetFile {
  readonly path: string;
  readonly fleet: Fleet;
}

/**
 * Reads `fleet.json`.
 * @param named the file, or the folder that holds it
 * @throws UnreadableFleet
 */
export function readFleet(named: string): FleetFile {
  const path = isFolder(named) ? join(named, 'fleet.json') : named;
  const { json, problem } = parseJson(bytesOf(path), MOST_VALUES);
  if (problem !== undefined)
    throw new UnreadableFleet(`${path}: ${problem}; expected the fleet.json of a run`);
  const validate = validatorOf<Fleet>(SCHEMA);
  if (validate(json)) return { path, fleet: json };
  const errors = (validate.errors ?? []).slice(0, 3).map(describeError).join('; ');
  throw new UnreadableFleet(`${path}: is no fleet.json: ${errors} (schema: specs/schemas/${SCHEMA})`);
}

function bytesOf(path: string): Buffer {
  try {
    const about = statSync(path);
    if (!about.isFile()) throw new Error('it is not a regular file');
    if (about.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1_000_000} MB`);
    return readFileSync(path);
  } catch (error) {
    throw new UnreadableFleet(
      `${path}: cannot be read (${error instanceof Error ? error.message : String(error)}); expected the fleet.json of a run`,
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
