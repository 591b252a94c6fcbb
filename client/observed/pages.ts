import type { ObservedNames } from '../../specs/texts.ts';
import { leadsTo } from '../address.ts';
import { member } from '../json.ts';
import type { AnswerNotes } from './document.ts';
import { linksIn } from './headers.ts';

type Totals = NonNullable<AnswerNotes['totals']>;
type Asked = Readonly<Record<string, string>>;

const MOST_PLACES = 2000;

const ANY_BASE = 'http://site.invalid';

/** So few records may be missing from a page without meaning. */
const FEW = 3;

/** The positions of the records of one list, while its length does not change. */
interface Places {
  readonly total: number;
  /** Positions in the whole list by identity: pages of every size show them. */
  readonly at: Map<string, number>;
}

/** A page of a list: its number and size, how many pages and records there are, and what links to others must keep. */
interface Page extends Readonly<Record<'page' | 'pages' | 'records' | 'size', number>> {
  readonly route: string | undefined;
  /** The names of the declared arguments that the request has, but for empty ones. */
  readonly kept: readonly string[];
}

/** Notes whether the totals of lists are true, and whether each record is on one page only. */
export class PageNotes {
  readonly #names: Pick<ObservedNames, 'totals' | 'identity' | 'context'>;
  readonly #counts = { true: 0, untrue: 0, paged: 0, before: 0, after: 0, astray: 0, repeated: 0, twice: 0 };
  /** Pages whose links to others lead to the same list, and to one without an argument of the request. */
  readonly #chosen = { kept: 0, lost: 0 };
  /** Lengths of pages that lack several records; undefined for other untrue pages. */
  readonly #short = new Set<number | undefined>();
  #longest = 0;
  /** Sizes of first pages without a size in the request; undefined if another page was not complete. */
  readonly #usual = new Set<number | undefined>();
  /** The declared size, which pages of fewer records do not contradict. */
  #declared: number | undefined;
  readonly #lists = new Map<string, Places>();

  constructor(names: Pick<ObservedNames, 'totals' | 'identity' | 'context'>) {
    this.#names = names;
  }

  get totals(): Totals | undefined {
    if (this.#counts.true + this.#counts.untrue === 0) return undefined;
    const [cap, ...others] = this.#short;
    const isCapped = cap !== undefined && others.length === 0 && cap === this.#longest;
    const [usual, ...more] = this.#usual.size === 0 ? [this.#declared] : this.#usual;
    const isOne = usual !== undefined && more.length === 0;
    const { kept, lost } = this.#chosen;
    const chosen = kept + lost > 0 && { chosen: { kept, lost } };
    return { ...this.#counts, ...chosen, ...(isCapped && { cap }), ...(isOne && { usual }) };
  }

  /** Notes one page of a list. @param args the declared parameters of its route, for the default page size; @param route to which links must lead */
  note(
    list: readonly unknown[],
    asked: Asked,
    headers: Readonly<Record<string, string>>,
    args: Readonly<Record<string, unknown>>,
    route?: string,
  ): void {
    const about = this.#pageOf(asked, headers, args, route);
    if (about === undefined) return;
    const { page, pages } = about;
    const counts = this.#counts;
    this.#noteLength(list.length, about, asked[this.#names.totals.size] !== undefined);
    if (pages > 1) counts.paged += 1;
    if (page > 1 && page <= pages) counts.before += 1;
    if (page < pages) counts.after += 1;
    if (page <= pages && this.#isAstray(headers.link, asked, about)) counts.astray += 1;
    if (page <= pages) this.#noteKept(headers.link, about);
    const ids = list.flatMap((record) => member(record, this.#names.identity) ?? []);
    if (new Set(ids).size < ids.length) counts.twice += 1;
    if (this.#isRepeated(list, asked, about)) counts.repeated += 1;
  }

  /** The page that a request asked for; undefined if that, or the totals of the list, is unknown. */
  #pageOf(
    asked: Asked,
    headers: Readonly<Record<string, string>>,
    args: Readonly<Record<string, unknown>>,
    route: string | undefined,
  ): Page | undefined {
    const { totals } = this.#names;
    const [records, pages] = [headers[totals.records], headers[totals.pages]].map(wholeNumber);
    if (records === undefined || pages === undefined) return undefined;
    if (totals.shifting.some((name) => asked[name] !== undefined)) return undefined;
    const usual = wholeNumber(member(args[totals.size], 'default')) ?? totals.usual;
    const [size = 0, page = 0] = [asked[totals.size] ?? usual, asked[totals.page] ?? 1].map(wholeNumber);
    // WordPress leaves out empty lists of a request.
    const sent = Object.keys(asked).filter((key) => asked[key] !== '');
    const isKept = (name: string): boolean =>
      ![totals.page, totals.size].includes(name) && Object.hasOwn(args, name);
    const kept = sent.map(nameOf).filter(isKept);
    return size < 1 || page < 1 ? undefined : { page, pages, records, size, route, kept };
  }

  /** Notes whether a page is as long as its totals say, and which sizes that shows. @param isSized whether the request has a size */
  #noteLength(length: number, { page, pages, records, size }: Page, isSized: boolean): void {
    const due = Math.min(size, Math.max(0, records - (page - 1) * size));
    const isTrue = pages === Math.ceil(records / size) && length === due;
    this.#counts[isTrue ? 'true' : 'untrue'] += 1;
    this.#longest = Math.max(this.#longest, length);
    if (isSized && !isTrue) {
      const isShort = length > 0 && due - length >= FEW;
      this.#short.add(isShort ? length : undefined);
      this.#usual.add(undefined);
    }
    // Without a page size in the request, the default may be another one.
    if (isSized || page !== 1) return;
    if (isTrue && length < size) this.#declared = size;
    else this.#usual.add(isTrue || isSizeOf(length, records, pages) ? length : undefined);
  }

  /** Whether a link to the page before or after leads elsewhere, such as to this one, to pages of another size, or of another route. */
  #isAstray(header: string | undefined, asked: Asked, { page, pages, route }: Page): boolean {
    const { totals } = this.#names;
    return linksIn(header ?? '').some(([relation, address]) => {
      const side = totals.relations[relation];
      if (side === undefined || !URL.canParse(address, ANY_BASE)) return false;
      const { searchParams } = new URL(address, ANY_BASE);
      const due = side === 'after' ? page + 1 : page - 1;
      const said = searchParams.get(totals.page);
      const isDue = due <= pages && (said === null ? due <= 1 : wholeNumber(said) === due);
      const size = asked[totals.size];
      if (route !== undefined && !leadsTo(address, route, new URL(ANY_BASE))) return true;
      return !isDue || (size !== undefined && searchParams.get(totals.size) !== size);
    });
  }

  /** Notes whether links to other pages keep the arguments of the request. */
  #noteKept(header: string | undefined, { kept }: Page): void {
    const links = linksIn(header ?? '').flatMap(([relation, address]) => {
      const url = URL.parse(address, ANY_BASE);
      const isOfPage = this.#names.totals.relations[relation] !== undefined;
      return isOfPage && url ? [new Set([...url.searchParams.keys()].map(nameOf))] : [];
    });
    if (links.length === 0 || kept.length === 0) return;
    this.#chosen[links.every((names) => kept.every((name) => names.has(name))) ? 'kept' : 'lost'] += 1;
  }

  /** Whether a record was on another page. If the length of the list changed, all records have moved. */
  #isRepeated(list: readonly unknown[], asked: Asked, { records, size, page }: Page): boolean {
    const { totals, identity, context } = this.#names;
    // The size of pages that lack records may be another one, and then so are their places.
    if (list.length < Math.min(size, records - (page - 1) * size)) return false;
    const paging = [totals.page, totals.size, context];
    const filters = Object.entries(asked).filter(([name]) => !paging.includes(name));
    const key = JSON.stringify(filters.sort());
    const known = this.#lists.get(key);
    const { at } = known?.total === records ? known : { at: new Map<string, number>() };
    this.#lists.set(key, { total: records, at });
    const others = list.flatMap((record, index) => {
      const id = member(record, identity);
      if (typeof id !== 'number' && typeof id !== 'string') return [];
      const key = String(id);
      if (!at.has(key) && at.size < MOST_PLACES) at.set(key, (page - 1) * size + index);
      const place = at.get(key);
      return place === undefined ? page : Math.floor(place / size) + 1;
    });
    return others.some((other) => other !== page);
  }
}

/** The name of an argument, also of one member of a list or an object: `tags` of `tags[0]`. */
function nameOf(key: string): string {
  return key.replace(/\[.*$/, '');
}

/** Whether pages of that length would be as many as are said. */
function isSizeOf(length: number, records: number, pages: number): boolean {
  return length > 0 && length < records && pages === Math.ceil(records / length);
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}
