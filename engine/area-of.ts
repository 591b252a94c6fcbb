/**
 * The area of a check id, as reports group checks: its first part up to the first dot (`posts` for
 * `posts.list/per_page/maximum`, `index` for `index/name/type`). Areas are the rows of the terminal table and the suites
 * of the JUnit report.
 */
export function areaOf(id: string): string {
  const [first = id] = id.split('/', 1);
  const [area = ''] = first.split('.', 1);
  return area === '' ? first : area;
}
