import type { AreaProgress, RunResult } from '../../../engine/result.ts';
import { percent } from '../../conclusion.ts';
import { plural } from '../../text.ts';
import { howFar, rootsOf, type StepInWords } from '../../way-there.ts';
import { linkTo } from '../anchors.ts';
import { cut, html, type Markup, type Part } from '../markup.ts';
import { bar, count, folded, scrolled, section } from '../parts.ts';

/** So many areas stand there; further ones are folded away. */
const MOST_AREAS = 12;
const MOST_FOLDED = 150;
const LONGEST = 300;

/** How much of what is required passes, by area, and what the rest waits for; undefined where nothing is left to do. */
export function wayThere(result: RunResult): Markup | undefined {
  const { progress } = result;
  const heading = howFar(progress);
  if (progress === undefined || heading === undefined || progress.passed >= progress.required)
    return undefined;
  const behind = progress.areas
    .filter((one) => one.passed < one.required)
    .toSorted((one, other) => other.required - other.passed - (one.required - one.passed));
  const done = progress.areas.length - behind.length;
  const rest = behind.slice(MOST_AREAS);
  return section(
    'progress',
    heading,
    html`<p>What the contract requires of this run, the areas where the most does not pass yet first${done === 0 ? '' : `; in ${plural(done, 'area')} everything passes`}.</p>`,
    table(behind.slice(0, MOST_AREAS)),
    rest.length === 0
      ? undefined
      : folded(plural(rest.length, 'further area'), table(rest.slice(0, MOST_FOLDED))),
    steps(result),
  );
}

/** A step as a link to its check. */
export function stepLink({ check, short, waiting }: StepInWords): Part[] {
  return [
    html`<a href=${linkTo(check)}>${cut(short, LONGEST)}</a>`,
    html` <code class="quiet">${cut(check, LONGEST)}</code>`,
    waiting === undefined ? undefined : html`: <b>${waiting}</b>`,
  ];
}

function steps(result: RunResult): Part {
  const all = rootsOf(result);
  if (all.length === 0) return undefined;
  return [
    html`<h3>What the most waits for</h3>`,
    html`<ol>${all.map((step) => html`<li>${stepLink(step)}</li>`)}</ol>`,
  ];
}

function table(areas: readonly AreaProgress[]): Markup {
  return scrolled(
    'Required checks by area',
    html`<table class="way">
      <thead><tr><th scope="col">area</th><th scope="col">pass</th><th scope="col">share</th><th scope="col">not yet</th></tr></thead>
      <tbody>${areas.map(row)}</tbody>
    </table>`,
  );
}

function row({ area, required, passed }: AreaProgress): Markup {
  const name = cut(area, 100);
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${count(passed)} of ${count(required)}</td>
    <td>${bar(passed, required, name)} ${percent(passed, required)}</td>
    <td>${count(required - passed)}</td>
  </tr>`;
}
