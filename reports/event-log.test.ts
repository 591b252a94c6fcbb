import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../specs/folder.fixture.ts';
import { EventLog } from './read-events.ts';

const NOTICE = { event: 'notice', notice: { id: 'n', message: 'two\nlines \u2028 \ud800' } } as const;

describe('EventLog', () => {
  let path = '';

  beforeEach(() => {
    path = join(testFolder(), 'new', 'events.ndjson');
  });

  it('writes each event as one line before append returns', () => {
    const log = new EventLog(path);
    for (const written of [1, 2]) {
      log.append(NOTICE);
      const lines = readFileSync(path, 'utf8').split('\n');
      expect(lines).toHaveLength(written + 1);
      expect(JSON.parse(lines[0] ?? '')).toEqual(NOTICE);
    }
    log.close();
  });

  it('starts empty in place of an earlier log', () => {
    const earlier = new EventLog(path);
    earlier.append(NOTICE);
    earlier.close();

    new EventLog(path).close();

    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('takes no event after close, which may be called again', () => {
    const log = new EventLog(path);
    log.close();
    log.close();

    expect(() => log.append(NOTICE)).toThrow('is closed');
  });
});
