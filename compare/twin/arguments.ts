import type { RequestSpec } from '../../client/observation.ts';
import { type Args, encodeArgs } from '../../generators/wire-forms.ts';
import { byCause, type Cause } from './causes.ts';
import type { SharedContent } from './content.ts';
import type { TwinRead } from './reads.ts';
import { differenceOf, isRepeated, type ListDifference } from './records.ts';
import { type Drawing, setsOf } from './sets.ts';
import type { ValueNotes } from './values.ts';

type Query = NonNullable<RequestSpec['query']>;

/** Sends sets of arguments to both sites, and shrinks differences. */
export class ArgumentSearch {
  readonly #content: SharedContent;
  readonly #values: ValueNotes;
  /** The outcome of each request, because different sets shrink to the same ones. */
  readonly #known = new Map<string, Promise<ListDifference | undefined>>();
  /** How many sets were sent, and how many differences a site did not show again. */
  sets = 0;
  unrepeated = 0;

  constructor(content: SharedContent, values: ValueNotes) {
    this.#content = content;
    this.#values = values;
  }

  /** Sends a read with sets of arguments. @returns causes, each with the smallest set that shows it */
  async causesOf(read: TwinRead, drawing: Drawing): Promise<Cause[]> {
    const { operation } = read;
    if (operation === undefined) return [];
    const records = this.#content.recordsOf(read)?.records ?? [];
    const sameIds = this.#content.hasSameIds;
    const causes = new Map<string, Cause>();
    for (const args of setsOf(read, operation, records, { ...drawing, sameIds })) {
      this.sets += 1;
      if ((await this.#compare(read, args)) === undefined) continue;
      const smallest = await this.#shrink(read, args);
      const found = await this.#compare(read, smallest);
      if (found === undefined) continue;
      const spec = this.#content.sites.before.specOf(read.route, encodeArgs(smallest));
      const exchange = this.#content.sites.exchange(spec);
      causes.set(JSON.stringify(smallest), { list: read, operation, args: smallest, found, spec, exchange });
    }
    return byCause([...causes.values()]);
  }

  /** Finds the smallest set that shows a difference, by leaving out one argument at a time. */
  async #shrink(read: TwinRead, args: Args): Promise<Args> {
    for (const name of Object.keys(args)) {
      const { [name]: _, ...fewer } = args;
      if ((await this.#compare(read, fewer)) !== undefined) return this.#shrink(read, fewer);
    }
    return args;
  }

  #compare(read: TwinRead, args: Args): Promise<ListDifference | undefined> {
    const query = encodeArgs(args);
    const key = JSON.stringify([read.route, query]);
    const known = this.#known.get(key) ?? this.compareOne(read, query);
    this.#known.set(key, known);
    return known;
  }

  /** The difference between the answers to one query, if it shows twice. */
  async compareOne(read: TwinRead, query: Query): Promise<ListDifference | undefined> {
    const spec = this.#content.sites.before.specOf(read.route, query);
    const pairs = this.#content.recordsOf(read)?.pairs;
    if (pairs === undefined || (!pairs.isEqual && this.#content.isPaged(spec))) return undefined;
    const both = await this.#content.sites.ask(spec);
    const found = differenceOf(both.was, both.is, pairs);
    if (found === undefined) {
      if (both.was.answer === both.is.answer) this.#content.sites.note(both);
      await this.#values.note(both);
      return undefined;
    }
    const again = await this.#content.sites.ask(spec);
    if (isRepeated(both.was, again.was) && isRepeated(both.is, again.is)) return found;
    this.unrepeated += 1;
    return undefined;
  }
}
