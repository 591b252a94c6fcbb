import { member } from '../../../client/json.ts';

/** The text as written of a member such as `excerpt`, which the edit context shows; undefined where it does not. */
export function rawOf(record: unknown, name: string): unknown {
  return member(member(record, name), 'raw');
}
