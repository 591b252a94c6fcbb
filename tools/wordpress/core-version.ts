/** The WordPress versions that can be fetched: 7.1.1 from the npm package, 6.1 as packaged by Debian. */
export const coreVersions = ['7.1.1', 'debian'] as const;

export type CoreVersion = (typeof coreVersions)[number];

/** True for a name that `--version` accepts. */
export function isCoreVersion(name: string): name is CoreVersion {
  return coreVersions.some((version) => version === name);
}
