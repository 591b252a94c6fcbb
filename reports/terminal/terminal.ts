import type { CheckResult, RunResult } from '../../engine/result.ts';
import { rankFindings } from '../reporters/rank.ts';
import { isForAuthor } from '../way-there.ts';
import { renderAreas } from './areas.ts';
import { renderConclusion } from './conclusion.ts';
import { renderFindings } from './findings.ts';
import { renderFuzzing } from './fuzzing.ts';
import { renderHead } from './head.ts';
import type { RenderContext, TerminalOptions } from './layout.ts';
import { renderNews } from './news.ts';
import { renderNotices } from './notices.ts';
import { createPaint } from './paint.ts';
import { renderProgress } from './progress.ts';
import { renderReasons } from './reasons.ts';
import { renderStage } from './stage.ts';
import { renderWaivers } from './waivers.ts';
import { renderWriting } from './writing.ts';

/** Narrower than this nothing lines up, wider than this nobody reads. */
const NARROWEST = 76;
const WIDEST = 120;

/**
 * What an operator reads at the end of a run: what was checked, what is new beside a baseline, a table by area, what broke and how to repeat it,
 * what could not be told and why, then the conclusion, which stays in view. Ends with a line feed. All text of
 * the target is made harmless for a terminal. Only curl lines exceed the width, so that they can be copied.
 */
export function renderTerminal(result: RunResult, options: TerminalOptions): string {
  const context: RenderContext = {
    paint: createPaint(options.colour),
    width: Math.min(Math.max(options.width, NARROWEST), WIDEST),
    ...(result.target.operations !== undefined && { operations: result.target.operations }),
  };
  if (options.brief === true) return `${renderConclusion(result, options, context).join('\n')}\n`;
  const isAuthor = isForAuthor(result);
  const progress = renderProgress(result, context);
  const sections = [
    renderHead(result, context),
    renderNews(result, options, context),
    renderAreas(result.checks, context),
    isAuthor ? progress : [],
    renderFindings('fail', worstFirst(result), context),
    renderFindings('error', result.checks, context),
    renderWaivers(result, context),
    renderFindings('warn', result.checks, context),
    renderFindings('inconclusive', result.checks, context),
    renderReasons('inconclusive', result.checks, context),
    renderReasons('skip', result.checks, context),
    renderFuzzing(result.fuzzing, context),
    renderNotices(result, context),
    renderStage(result.stage, context),
    renderWriting(result.writing, context),
    isAuthor ? [] : progress,
    renderConclusion(result, options, context),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The failures: what is new, then what most hangs on. Beside a baseline what fails as before is one line: it must not bury what is new. */
function worstFirst({ baseline, checks }: RunResult): readonly CheckResult[] {
  const old = new Set(baseline?.still);
  for (const id of baseline?.unwaived ?? []) old.delete(id);
  return rankFindings({ checks, ...(baseline !== undefined && { baseline }) }).failures.filter(
    ({ id }) => !old.has(id),
  );
}
