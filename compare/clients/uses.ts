import { validated } from '../../specs/validators.ts';
import { readDocument } from '../side.ts';

/** A parameter that a client sends, without its values, except declared words and bounded numbers. */
export interface SentParameter {
  readonly kinds: readonly string[];
  readonly words?: readonly string[];
  readonly least?: number;
  readonly most?: number;
}

/** A call of a client, however often it is made. */
export interface Use {
  readonly method: string;
  readonly route: string;
  readonly caller: 'anonymous' | 'user';
  readonly context?: string;
  readonly body?: 'form';
  readonly parameters: Readonly<Record<string, SentParameter>>;
  readonly answers?: readonly ('accepted' | 'refused')[];
  readonly members: readonly string[] | 'unknown';
}

/** What a client uses: the output of `client make`, format 1; `specs/schemas/client.schema.json` describes it. */
export interface ClientFile {
  readonly format: 1;
  readonly kind: 'client';
  readonly uses: readonly Use[];
}

/** A file of uses with its name. */
export interface NamedClient extends Pick<ClientFile, 'uses'> {
  readonly name: string;
}

/** Reads such files. The name of each is the part before the first dot. @throws UsageError for another file */
export function readClients(paths: readonly string[] = []): NamedClient[] {
  return paths.map((path) => {
    const document = readDocument(path, 'what "client make" writes');
    const { uses } = validated<ClientFile>(path, document, 'client.schema.json');
    const name = (path.split(/[\\/]/).at(-1) ?? path).replace(/\..*$/, '');
    return { name: name === '' ? path : name, uses };
  });
}

/** The kind of a value in a file of uses. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number')
    return Number.isInteger(value) || value === Infinity ? 'integer' : 'fraction';
  if (typeof value !== 'string') return typeof value === 'boolean' ? 'boolean' : 'object';
  if (value === '') return 'empty';
  if (/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value)) return 'date';
  return /^https?:\/\//i.test(value) ? 'address' : 'text';
}

/** A call in one line, such as `GET /x/v1/posts?context=edit&per_page as user`. */
export function describeUse({ method, route, caller, context, parameters }: Use): string {
  const words = [...(context === undefined ? [] : [`context=${context}`]), ...Object.keys(parameters)];
  return `${method} ${route}${words.length === 0 ? '' : `?${words.join('&')}`}${caller === 'user' ? ' as user' : ''}`;
}
