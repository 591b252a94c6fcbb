import type { ServerResponse } from 'node:http';
import { type Answer, Text } from './answer.ts';

/** Writes `answer` to `response`; `method` HEAD gets the headers alone. */
export function respond(method: string | undefined, response: ServerResponse, answer: Answer): void {
  const text = answer.body instanceof Text ? answer.body.content : JSON.stringify(answer.body);
  const type = answer.body instanceof Text ? answer.body.type : 'application/json; charset=UTF-8';
  response.writeHead(answer.status, {
    'Content-Type': type,
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
    ...answer.headers,
  });
  response.end(method === 'HEAD' ? undefined : text);
}
