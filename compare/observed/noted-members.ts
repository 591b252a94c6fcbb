import type { AnswerNotes, MemberNotes } from '../../client/observed/document.ts';
import { textsOf } from '../../specs/texts.ts';
import { FEW } from './difference.ts';

const NUMBER = /(?:^|\.)\d+$/;

/** The members in the notes of one side, and what kind of object each belongs to. */
export class Members {
  readonly #members: ReadonlyMap<string, MemberNotes>;
  /** Objects whose members come and go with the record. */
  readonly open: ReadonlySet<string>;
  /** Objects with names that are numbers, noted only where every object has all of them. */
  readonly fixed: ReadonlySet<string>;
  readonly #records: number;
  readonly isCut: boolean;
  /** Whether they belong to an envelope or to the description of a route, which do not depend on content. */
  readonly isOutline: boolean;

  constructor({ members = {}, records, cut, method, with: others = [] }: AnswerNotes) {
    this.isOutline = method === 'OPTIONS' || others.includes(textsOf('observed').tour.envelope);
    this.#members = new Map(Object.entries(members));
    this.#records = records;
    this.isCut = cut === true;
    this.fixed = new Set(this.paths.filter((path) => NUMBER.test(path)).map(this.parentOf.bind(this)));
    this.open = new Set(
      [...this.#members].flatMap(([path, { sometimes }]) => {
        const parent = this.parentOf(path);
        return sometimes === true || (path.endsWith('*') && !this.fixed.has(parent)) ? [parent] : [];
      }),
    );
  }

  get paths(): readonly string[] {
    return [...this.#members.keys()];
  }

  at(path: string): MemberNotes | undefined {
    return this.#members.get(path);
  }

  /** The longest noted path that another begins with. Names may contain dots. */
  parentOf(path: string): string {
    for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
      const above = path.slice(0, end);
      if (this.#members.has(above)) return above;
    }
    return '';
  }

  insideOf(path: string): string[] {
    return this.paths.filter((inner) => !inner.endsWith('[]') && this.parentOf(inner) === path);
  }

  objectsOf(path: string): string[] {
    return this.insideOf(path).filter((inner) => this.objectsAt(inner) > 0);
  }

  /** Whether an object holds only objects, and several of them. */
  isMap(path: string): boolean {
    const objects = this.objectsOf(path);
    return objects.length >= FEW && objects.length === this.insideOf(path).length;
  }

  objectsAt(path: string): number {
    if (path === '') return this.#records;
    const { object = 0, 'empty object': empty = 0 } = this.#members.get(path)?.types ?? {};
    return object + empty;
  }

  /** Whether an object has the same members in every record. Then it is not a map. */
  isStructure(path: string): boolean {
    return !this.open.has(path) && this.paths.some((inner) => this.parentOf(inner) === path);
  }

  /** Whether a path is that of a number in a map with other numbers in each object. */
  isNumbered(path: string, parent: string): boolean {
    return NUMBER.test(path) && this.#members.has(`${parent}.*`) && !this.fixed.has(parent);
  }
}
