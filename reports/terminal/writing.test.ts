import { describe, expect, it } from 'vitest';
import type { WritingReport } from '../../engine/result.ts';
import { createPaint } from './paint.ts';
import { renderWriting } from './terminal.ts';

const context = { paint: createPaint(false), width: 100 };
const clean: WritingReport = { tag: 'sc-1', created: 3, removed: 3, left: [], doubts: [], census: [] };

function text(writing: WritingReport | undefined): string {
  return renderWriting(writing, context).join('\n');
}

describe('what a run says about its own records', () => {
  it('is nothing when it wrote nothing', () => {
    expect(text(undefined)).toBe('');
    expect(text({ ...clean, created: 0, removed: 0 })).toBe('');
  });

  it('is one line when all of them are gone', () => {
    expect(text(clean)).toContain('3 records written with the tag sc-1, all removed');
  });

  it('is one line too when creations that were not answered truly were removed', () => {
    expect(text({ ...clean, created: 0 })).toContain('3 records written with the tag sc-1, all removed');
  });

  it('blames no other hands for what its own creations may explain', () => {
    const census = [{ collection: 'posts', appeared: [7], disappeared: [], unanswered: 2 }];
    expect(text({ ...clean, census })).toContain('or by 2 creations of this run');
  });

  it('names what could not be counted', () => {
    const uncounted = [{ collection: 'posts', when: 'before' as const, reason: 'the list is denied' }];
    expect(text({ ...clean, uncounted })).toContain(
      'posts could not be counted one by one before the run: the list is denied',
    );
  });

  it('names what is still there, and why', () => {
    const shown = text({ ...clean, left: [{ collection: 'posts', id: 7, why: 'status 500\u001b[31m' }] });
    expect(shown).toContain('NOT ALL REMOVED');
    expect(shown).toContain('posts 7 is still there: status 500');
    expect(shown).not.toContain('\u001b');
  });

  it('names records that are there for one reason in one line', () => {
    const left = Array.from({ length: 110 }, (_, at) => ({ collection: 'posts', id: at + 1, why: 'denied' }));
    const shown = text({ ...clean, left });
    expect(shown).toContain('posts 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 100 more are still there: denied');
    expect(shown.split('still there')).toHaveLength(2);
  });

  it('does not say that all are gone when it cannot tell', () => {
    const shown = text({ ...clean, doubts: ['could not be verified: the list of posts is denied'] });
    expect(shown).toContain('REMOVAL NOT VERIFIED');
    expect(shown).toContain('could not be verified: the list of posts is denied');
  });

  it('shows what other hands changed meanwhile', () => {
    const census = [{ collection: 'pages', appeared: [4], disappeared: [2] }];
    expect(text({ ...clean, census })).toContain(
      'pages: 1 appeared and 1 disappeared meanwhile, by other hands (+4 -2)',
    );
  });
});
