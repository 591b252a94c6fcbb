import type { Mode, RunResult } from '../../engine/result.ts';
import { formatDuration, plural, visibleLine } from '../text.ts';
import { type RenderContext, renderField } from './layout.ts';

/** What each mode allows a run to do to the site, in the words of an operator. */
const MODE_MEANS: Record<Mode, string> = {
  read: 'could write nothing',
  validate: 'sent write operations only what they must refuse',
  write: 'could create, change and delete records of its own',
  full: 'could alter the site itself',
};

const LAYOUT = { indent: 2, labelWidth: 12, limit: 300 };

/** How much of a digest is enough to tell two apart by eye. */
const DIGEST_SHOWN = 'sha256:'.length + 12;

/** The head of the terminal report: tool, target, deployment, mode and what the run cost. */
export function renderHead(result: RunResult, context: RenderContext): string[] {
  const { tool, target, run } = result;
  const contract = tool.contract.slice(0, DIGEST_SHOWN);
  const rows: [string, string][] = [
    ['target', target.url],
    ['deployment', deploymentOf(target)],
    ['mode', `${run.mode} (${MODE_MEANS[run.mode]})`],
    ['run', `${run.id}, started ${run.started}, seed ${run.seed}`],
    ['cost', cost(run)],
  ];
  return [
    context.paint('heading', visibleLine(`${tool.name} ${tool.version}, contract ${contract}`)),
    ...rows.flatMap(([label, text]) => renderField(label, visibleLine(text), LAYOUT, context)),
  ];
}

function deploymentOf({ deployment, vocabulary, composed }: RunResult['target']): string {
  const parts = composed === undefined ? [] : [...composed.operations, ...composed.features];
  return `${deployment}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}, vocabulary ${vocabulary}`;
}

function cost(run: RunResult['run']): string {
  if (run.ended !== undefined && run.requests === 0 && run.seconds === 0) return 'not recorded';
  const retries = run.retries === 0 ? '' : `, ${run.retries} of them repeated`;
  return `${plural(run.requests, 'request')}${retries}, ${formatDuration(run.seconds)}`;
}
