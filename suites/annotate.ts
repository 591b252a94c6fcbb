import { description, feature, label, story, tag } from 'allure-js-commons';
import { areaOf } from '../engine/kind-of.ts';
import type { CheckResult } from '../engine/result.ts';

/** Tells Allure where a check belongs and, when it did not pass, what was expected, what came and how to repeat it. */
export async function annotate(result: CheckResult): Promise<void> {
  await feature(areaOf(result));
  if (result.operation !== undefined) await story(result.operation);
  await label('section', result.section);
  // Allure knows no warning and nothing that was inconclusive: both count as skipped there, and are found by this tag.
  if (result.verdict !== 'pass') await tag(result.waived === undefined ? result.verdict : 'waived');
  if (result.unstable !== undefined) await tag('unstable');
  const lines = [
    `§${result.section} (${result.basis}), verdict ${result.verdict}`,
    ...waivedLines(result),
    result.message,
    result.expected === undefined ? undefined : `expected: ${result.expected}`,
    result.observed === undefined ? undefined : `observed: ${result.observed}`,
    ...(result.reproduce ?? []),
    ...(result.replay?.sets ?? []).flatMap(({ id, message, reproduce, replay }, at) => [
      `finding: ${id}`,
      ...(at === 0 ? [] : [message, reproduce?.[0]]),
      replay === undefined ? undefined : `replay: ${replay}`,
    ]),
  ].filter((line) => line !== undefined);
  // Indented text is shown as it is: what a target answered is never read as markup.
  await description(
    lines
      .flatMap((line) => line.split('\n'))
      .map((line) => `    ${line}`)
      .join('\n'),
  );
}

/** Why a failure is accepted, by whom and until when. */
function waivedLines({ waived }: CheckResult): string[] {
  if (waived === undefined) return [];
  return [waived, ...(waived.also ?? [])].map(
    ({ reason, owner, expires, link }) =>
      `waived: ${reason} (${owner}, until ${expires})${link === undefined ? '' : ` ${link}`}`,
  );
}
