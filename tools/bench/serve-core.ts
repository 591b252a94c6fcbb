import { serve } from '../../sites/reference/serve.ts';

// Serves the reference deployment core in a process of its own, so that its cost does not count as the suite's. Reports
// its address to its parent, and ends with it.

const { url, user, password } = await serve({ deployment: 'core' });
process.on('disconnect', () => process.exit(0));
process.send?.({ url, user, password });
