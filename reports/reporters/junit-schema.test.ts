import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { renderJunit } from './junit.ts';
import { everyOutcome, hostileRun } from './sample-run.fixture.ts';

const SCHEMA = readFileSync(join(import.meta.dirname, 'junit-schema.fixture.xsd'));

function violations(xml: string): string {
  const schema = XmlDocument.fromBuffer(SCHEMA);
  const validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return '';
  } catch (error) {
    return String(error);
  } finally {
    document.dispose();
    validator.dispose();
    schema.dispose();
  }
}

describe('the schema of CI servers', () => {
  it.each<[string, RunResult]>([
    ['in which every outcome occurs', everyOutcome()],
    ['whose site is hostile', hostileRun()],
    ['that passes', sampleResult([sampleCheck({})])],
    ['without checks', sampleResult([])],
    [
      'that left records',
      sampleResult([sampleCheck({})], {
        writing: {
          tag: 't',
          created: 1,
          removed: 0,
          left: [{ collection: 'posts', id: 1, why: 'x' }],
          doubts: [],
          census: [],
        },
      }),
    ],
  ])('holds for a run %s', (_what, result) => {
    expect(violations(renderJunit(result))).toBe('');
  });

  it('rejects what is not a report', () => {
    expect(violations('<testsuites><testsuite/></testsuites>')).not.toBe('');
  });
});
