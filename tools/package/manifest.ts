/** The members of package.json that we use. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** The folder of the package with compiled code and data. */
export const COMPILED = 'dist';

/** The oldest Node for the package, because of its dependencies. */
const NODE = '>=22.19.0';

/** The manifest of the published package, with nothing that only a checkout needs, such as scripts. */
export function packageManifest(checkout: Manifest): Record<string, unknown> {
  const { name, version, description, license, dependencies, peerDependencies, peerDependenciesMeta } =
    checkout;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: NODE },
    bin: Object.fromEntries(
      Object.entries(checkout.bin).map(([command, path]) => [command, `${COMPILED}/${path}`]),
    ),
    exports: Object.fromEntries(
      Object.entries(checkout.exports).map(([entry, path]) => [entry, compiledEntry(path)]),
    ),
    files: [COMPILED],
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
}

function compiledEntry(path: string): unknown {
  if (path === './package.json') return path;
  const place = path.replace(/^\.\//, `./${COMPILED}/`);
  if (!place.endsWith('.ts')) return place;
  const stem = place.slice(0, -'.ts'.length);
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}
