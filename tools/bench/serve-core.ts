import { serve } from '../../sites/reference/serve.ts';

// The reference deployment core in a process of its own: what it takes is not counted as the suite's. Reports to its parent where
// it is, and ends with it.

const { url, user, password } = await serve({ deployment: 'core' });
process.on('disconnect', () => process.exit(0));
process.send?.({ url, user, password });
