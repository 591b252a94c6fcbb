#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=20
// Plain JavaScript: an older Node reads no TypeScript, and could not even say so.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 8)) {
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(
    `site-conformance: needs Node 24.8 or newer and runs on ${process.versions.node}: "npm ci" brings one, and "npm start --" uses it\n`,
  );
  process.exitCode = 2;
}
