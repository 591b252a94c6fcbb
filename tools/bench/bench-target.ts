import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { serve } from '../../sites/reference/serve.ts';

/** What is measured, and as whom. */
interface BenchTarget {
  readonly label: string;
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The names of the contract. */
  readonly words: { readonly deployment: string; readonly vocabulary: string };
  close(): Promise<void>;
}

/** The site at WORDPRESS_URL with the user of SITE_CONFORMANCE_USER, or else the embedded deployment B. */
export async function openBenchTarget(): Promise<BenchTarget> {
  const { WORDPRESS_URL: url, SITE_CONFORMANCE_USER: user } = process.env;
  if (url !== undefined) {
    const words = { deployment: 'core', vocabulary: 'wordpress' };
    const password = process.env[PASSWORD_VARIABLE];
    return { label: 'the given site', url, user, password, words, close: async () => {} };
  }
  const site = await serve({ deployment: 'b' });
  return {
    label: 'embedded B',
    url: site.url,
    user: site.user,
    password: site.password,
    words: { deployment: 'b', vocabulary: 'neutral' },
    close: () => site.close(),
  };
}
