import { expect, it } from 'vitest';
import { readText } from './project-files.ts';

interface Lock {
  packages: Record<string, { engines?: unknown; version: string; optional?: boolean }>;
}

const { packages }: Lock = JSON.parse(readText('package-lock.json'));
const { '': project, ...others } = packages;

it('lets every Node from 20 on install without a warning, for the scripts run on the package node', () => {
  expect(project?.engines).toEqual({ node: '>=20' });
  expect(Object.keys(others).length).toBeGreaterThan(100);
  expect(Object.keys(others).filter((name) => others[name]?.engines !== undefined)).toEqual([]);
  expect(others['node_modules/node']?.version).toMatch(/^24\./);
});

it('holds the packages of every platform', () => {
  const platforms = ['darwin-arm64', 'linux-x64', 'linux-arm64', 'win32-x64'];
  const missing = platforms.filter(
    (platform) =>
      !Object.keys(others).some((name) => name.startsWith(`node_modules/@biomejs/cli-${platform}`)),
  );

  expect(missing).toEqual([]);
});
