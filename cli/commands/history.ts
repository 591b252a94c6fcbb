import { type Command, Option } from 'commander';
import { readHistory } from '../../compare/history/read-history.ts';
import { historyView } from '../../reports/views/history.ts';
import { wholeNumber } from '../options.ts';
import { type GivenOut, showDocument, writeDocument } from '../shell/give-out.ts';
import { productVersion } from '../shell/version.ts';
import type { CommandContext } from './context.ts';

/** Adds the command `history`. */
export function defineHistory(program: Command, { ends }: CommandContext): void {
  program
    .command('history')
    .description('a folder of results, run by run: what is new, what fails how long, what is unstable')
    .argument(
      '<folder>',
      'holds results.json files, in folders at any depth, or other *.json files of results',
    )
    .option('--last <n>', 'list the latest runs of each series only', wholeNumber(1, 100_000))
    .option('--one-site', 'runs of one deployment and mode are of one site, whatever their address')
    .addOption(new Option('--json', 'print history.json').conflicts('markdown'))
    .option('--markdown', 'print Markdown')
    .option('--out <dir>', 'write history.json, history.md and the page history.html into this folder')
    .action((folder, options) => ends(historyCommand(folder, options)));
}

/** The options of `history`. */
interface HistoryCommandOptions extends GivenOut {
  readonly last?: number;
  readonly oneSite?: boolean;
}

/**
 * The command `history`: what came of a folder of results, run by run. Writes `history.json`, `history.md` and the page `history.html`.
 * @returns the exit code, 0
 * @throws UnreadableSide for a folder without results, with nothing written
 */
function historyCommand(folder: string, options: HistoryCommandOptions): number {
  const { last, oneSite } = options;
  const history = readHistory(folder, { last, oneSite, version: productVersion() });
  const view = historyView(history);
  writeDocument('history', history, view, options);
  showDocument(history, view, options);
  return 0;
}
