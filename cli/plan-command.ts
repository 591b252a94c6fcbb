import { plan } from '../suites/plan.ts';
import { chooseTargets } from './choose-targets.ts';
import { loadConfig } from './load-config.ts';
import { resolveTargets } from './resolve-targets.ts';
import type { Settings } from './run-config.ts';

/** The command `plan`: lists the checks of a selection and sends nothing. @returns the exit code */
export function planCommand(given: Settings & { config?: string; json?: boolean }): number {
  const { config, json, ...settings } = given;
  const targets = resolveTargets(settings, loadConfig(config), process.env);
  const rows = chooseTargets(targets).flatMap(({ target, contract, checks }) => {
    const hasUser = target.user !== undefined || target.target === undefined;
    return plan(checks, { ...target, hasUser })
      .filter(({ deselected }) => deselected !== true)
      .map(({ check: { run: _, ...check }, skip }) => ({
        deployment: contract.deployment,
        ...check,
        ...(skip !== undefined && { skip }),
      }));
  });
  if (json === true) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return rows.length === 0 ? 3 : 0;
  }
  for (const row of rows) {
    process.stdout.write(
      `${row.deployment}  ${row.id}  §${row.section}  ${row.title}${row.skip === undefined ? '' : `  (skipped: ${row.skip})`}\n`,
    );
  }
  const skipped = rows.filter(({ skip }) => skip !== undefined).length;
  process.stdout.write(
    `${rows.length} checks, ${rows.length - skipped} to run, ${skipped} skipped with a reason\n`,
  );
  return rows.length === 0 ? 3 : 0;
}
