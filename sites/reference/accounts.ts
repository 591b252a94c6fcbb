/** Somebody who may log in. Editors may do with content what administrators may, but not run the site. */
export interface Account {
  id: number;
  login: string;
  name: string;
  role: 'administrator' | 'editor';
  /** Application password; blanks in it do not count. */
  password: string;
}

/** Accounts of a fresh reference deployment. The passwords are public: it listens on loopback only. */
export const ACCOUNTS: readonly Account[] = [
  { id: 1, login: 'admin', name: 'Administrator', role: 'administrator', password: 'open sesame admin' },
  { id: 2, login: 'editor', name: 'Editor', role: 'editor', password: 'open sesame editor' },
];

/**
 * The account that an `Authorization` header proves (HTTP Basic with an application password). Wrong
 * credentials count as none, as on public reads of real software.
 */
export function authenticate(header: string | undefined, accounts: readonly Account[]): Account | undefined {
  const [scheme = '', encoded = ''] = (header ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const login = text.slice(0, colon);
  const password = text.slice(colon + 1);
  return accounts.find(
    (account) => account.login === login && compact(account.password) === compact(password),
  );
}

function compact(password: string): string {
  return password.replaceAll(/\s/g, '');
}
