import { classify } from '../answer.ts';
import { member } from '../json.ts';
import type { Observation, RequestSpec } from '../observation.ts';

/** How a part of a batch is noted. */
export const PART = 'a part of a batch';
/** The methods of parts. */
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The parts of a batch as requests and answers of their own (§4.2); none unless the answer has one for each. */
export function partsOf(spec: RequestSpec, whole: Observation): { spec: RequestSpec; answer: Observation }[] {
  const [asked, shown] = [member(member(spec.body, 'json'), 'requests'), member(whole.json, 'responses')];
  if (!Array.isArray(asked) || !Array.isArray(shown) || asked.length !== shown.length) return [];
  return asked.flatMap((part: unknown, at) => {
    const path = member(part, 'path');
    const [status, json] = ['status', 'body'].map((name) => member(shown[at], name));
    const method = WRITES.find((one) => one === (member(part, 'method') ?? 'POST'));
    if (typeof path !== 'string' || typeof status !== 'number' || method === undefined) return [];
    const [route = '', query = ''] = path.split('?');
    const text = json === undefined ? '' : JSON.stringify(json);
    const about = { status, answer: classify(status), headers: headersOf(member(shown[at], 'headers')) };
    return {
      spec: {
        ...spec,
        method,
        route,
        query: [...new URLSearchParams(query)],
        body: { json: member(part, 'body') },
        noted: PART,
      },
      answer: { ...whole, ...about, method, json, text, bytes: text.length },
    };
  });
}

/** Texts by lower-case names. */
function headersOf(given: unknown): Observation['headers'] {
  const pairs = Object.entries(Object(given)).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)]] : [],
  );
  return Object.fromEntries(pairs);
}
