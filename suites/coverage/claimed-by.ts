import { selectorOf } from '../../engine/glob.ts';

const SIGN = /[*?{[(!]/;

/** For each list of globs the ids that it selects and all that lie below them, in their order. */
export function claimedBy(ids: readonly string[], lists: readonly (readonly string[])[]): string[][] {
  const below = byParents(ids);
  return lists.map((globs) => {
    const selected = new Set(
      globs.flatMap((glob) => {
        if (!SIGN.test(glob)) return below.get(glob) ?? [];
        const [selects, selectsAbove] = [selectorOf(glob), selectorOf(`${glob}/**`)];
        return ids.filter((id) => selects(id) || selectsAbove(id));
      }),
    );
    return globs.length === 1 ? [...selected] : ids.filter((id) => selected.has(id));
  });
}

/** The ids at or below each id or part of one that ends before a slash. */
function byParents(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const id of ids) {
    for (let end = id.length; end > 0; end = id.lastIndexOf('/', end - 1)) {
      const parent = id.slice(0, end);
      const list = found.get(parent);
      if (list === undefined) found.set(parent, [id]);
      else list.push(id);
    }
  }
  return found;
}
