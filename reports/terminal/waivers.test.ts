import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult, Waived, WaiversReport } from '../../engine/result.ts';
import { renderFindings } from './findings.ts';
import { createPaint } from './paint.ts';
import { renderTerminal } from './terminal.ts';
import { renderWaivers } from './waivers.ts';

const CONTEXT = { paint: createPaint(false), width: 100 };
const WAIVED: Waived = {
  waiver: 'posts.*/order',
  reason: 'a plugin',
  owner: 'the shop',
  expires: '2999-12-31',
};

function failure(id: string, waived?: Waived): CheckResult {
  return sampleCheck({ id, verdict: 'fail', message: 'wider', ...(waived !== undefined && { waived }) });
}

function linesOf(checks: CheckResult[], changes: Partial<RunResult> = {}): string[] {
  return renderWaivers(sampleResult(checks, changes), CONTEXT);
}

function report(changes: Partial<WaiversReport>): Pick<RunResult, 'waivers'> {
  return { waivers: { waived: 0, expired: [], unmatched: [], passing: [], ...changes } };
}

describe('renderWaivers', () => {
  it('shows a waiver once, with how many failures it covers, which, and its link whole', () => {
    const link = `https://example.test/${'a/'.repeat(60)}`;
    const waived = { ...WAIVED, link };
    const lines = linesOf([failure('posts.list/order', waived), failure('posts.read/order', waived)]);

    expect(lines.slice(1)).toEqual([
      '  2     posts.*/order: a plugin (the shop, until 2999-12-31)',
      '        posts.list/order, posts.read/order',
      `        ${link}`,
    ]);
    expect(lines[0]).toMatch(/^── 2 failures waived, not counted ─/);
  });

  it('says nothing twice of a waiver for one check', () => {
    expect(linesOf([failure('a', { ...WAIVED, waiver: 'a' })]).slice(1)).toEqual([
      '  1     a: a plugin (the shop, until 2999-12-31)',
    ]);
  });

  it('counts a check with several findings for each of its waivers', () => {
    const also = [{ ...WAIVED, waiver: 'b#c:d' }];
    const text = linesOf([failure('b', { ...WAIVED, waiver: 'b#a:d', also })]).join('\n');

    expect(text).toContain('1     b#a:d: a plugin');
    expect(text).toContain('1     b#c:d: a plugin');
  });

  it.each([
    ['2025-03-04', 'expires today, on 2025-03-04: a (the shop)'],
    ['2025-03-05', 'expires in 1 day, on 2025-03-05: a (the shop)'],
    ['2025-03-18', 'expires in 14 days, on 2025-03-18: a (the shop)'],
    ['2025-03-19', undefined],
  ])('says within 14 days that it expires: %s', (expires, said) => {
    const lines = linesOf([failure('a', { ...WAIVED, waiver: 'a', expires })]);

    expect(lines.find((line) => line.includes('expires'))?.trim()).toBe(said && `- ${said}`);
  });

  it.each([
    [{ expired: ['a'] }, 'expired, so that what it covered counts again: a'],
    [{ unmatched: ['a', 'b'] }, 'matches no check of the contract: a, b'],
    [{ passing: ['a'] }, 'no longer needed, because all of its checks pass: a'],
    [{ elsewhere: ['a'] }, 'for another version of the software: a'],
    [{ unversioned: ['a'] }, '1 waiver applied to any version of the software'],
  ])('says what is to be done about the list: %o', (changes, said) => {
    expect(linesOf([], report(changes)).join('\n')).toContain(said);
  });

  it('has no lines without waivers', () => {
    expect(linesOf([failure('a')])).toEqual([]);
  });

  it('shows no command to a terminal that a file brings', () => {
    const text = linesOf([failure('a', { ...WAIVED, reason: '\u001b[2J' })]).join('\n');

    expect(text).not.toContain('\u001b');
  });
});

describe('a waived failure', () => {
  it('is not among the failures, nor the check that is to be repeated, and has a column of its own', () => {
    const result = sampleResult([failure('a/b', { ...WAIVED, waiver: 'a/b' }), failure('c/d')]);
    const options = { colour: false, width: 100, reports: [], repeat: (id: string) => `repeat ${id}` };
    const text = renderTerminal(result, options);

    expect(renderFindings('fail', result.checks, CONTEXT).join('\n')).not.toContain('a/b');
    expect(text).toContain('repeat c/d');
    expect(text).toMatch(/fail {2}waived/);
    expect(text).toMatch(/\ball +1 +1 +·/);
    expect(renderTerminal(sampleResult([failure('c/d')]), options)).not.toContain('waived');
  });
});

describe('a failure that is known upstream', () => {
  it('says so, and how to accept it', () => {
    const upstream = { reason: 'a bug', link: 'https://example.test/bug' };
    const text = renderFindings('fail', [{ ...failure('a'), upstream }], CONTEXT).join('\n');

    expect(text).toContain('known     upstream: a bug (--waivers known)');
    expect(text).toContain('see       https://example.test/bug');
  });
});
