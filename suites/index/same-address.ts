/** An address without what may differ where it is the same place: the scheme, the query and a slash at the end. */
export interface AddressPlace {
  /** Name and port; the port that the scheme has by itself is left out. */
  readonly host: string;
  /** Without a slash at the end. */
  readonly path: string;
}

/** The place that an address names; undefined when it is no address over http. */
export function placeOfAddress(address: unknown): AddressPlace | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, host, pathname } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  return { host, path: pathname.replace(/\/+$/, '') };
}

/** Whether two places are one. */
export function samePlace(one: AddressPlace, other: AddressPlace): boolean {
  return one.host === other.host && one.path === other.path;
}
