/** The area of a check, as reports group them: `posts` for `posts.list/per_page/maximum`, `index` for `index/name/type`. */
export function areaOf(id: string): string {
  const [first = id] = id.split('/');
  const [area = first] = first.split('.');
  return area;
}
