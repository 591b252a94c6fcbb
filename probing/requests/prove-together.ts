/**
 * Proves in as few requests as possible what callers want to see, each by itself: a request holds as many as go together, and
 * what it does not prove is left to whoever wants it, to be asked for alone.
 * @param fits whether one more may stand beside those of a request
 * @param ask sends some together. @returns those that are proven by it, each as if it were alone; undefined where nothing more
 * can be proven in this way
 */
export async function provenTogether<Want>(
  wants: readonly Want[],
  fits: (beside: readonly Want[], want: Want) => boolean,
  ask: (together: readonly Want[]) => Promise<readonly Want[] | undefined>,
): Promise<ReadonlySet<Want>> {
  const proven = new Set<Want>();
  let open = [...wants];
  while (open.length > 1) {
    const together = packed(open, fits);
    const shown = together.length > 1 ? await ask(together) : [];
    if (shown === undefined) break;
    for (const want of shown) proven.add(want);
    // Where some were proven, the others may have been hidden by them; else they do not go together.
    const done = new Set(shown.length > 0 ? shown : together);
    open = open.filter((want) => !done.has(want));
  }
  return proven;
}

function packed<Want>(open: readonly Want[], fits: (beside: readonly Want[], want: Want) => boolean): Want[] {
  const together: Want[] = [];
  for (const want of open) if (together.length === 0 || fits(together, want)) together.push(want);
  return together;
}
