/**
 * The area of a check id: its first part, up to the first dot (`posts.list/per_page/type` is `posts`,
 * `routes/…` is `routes`). Areas are the rows of the terminal table and the suites of the JUnit report.
 */
export function areaOf(checkId: string): string {
  const first = checkId.split('/', 1)[0] ?? '';
  return first.split('.', 1)[0] || first;
}
