import { writeFileSync } from 'node:fs';

// Preloaded into a measured process: writes its peak memory in bytes when it ends.
const file = process.env.BENCH_USAGE;
if (file !== undefined) {
  process.once('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
}
