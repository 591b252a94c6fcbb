import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian has it; another one is named by the environment. */
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Starts the Chromium of this machine. @throws Error without one: tests of pages prove nothing without */
export async function startChromium(): Promise<Browser> {
  const path = PLACES.find((place) => place !== undefined && existsSync(place));
  if (path === undefined) {
    throw new Error('no Chromium is found: install one (Debian: chromium), or name it in CHROMIUM');
  }
  return chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
}
