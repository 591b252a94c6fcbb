import { mayRead, requireEditContext, requireRecord } from './access.ts';
import { answer } from './answer.ts';
import { contextOf } from './list-records.ts';
import { Refusal } from './refusal.ts';
import { pathParameters, resourceOf } from './resources.ts';
import { permalink, showRecord } from './show-record.ts';
import type { Handler } from './site.ts';

/** Reads one record: 404 without it, 401 when it is hidden, 403 for a wrong password. */
export const readRecord: Handler = (call) => {
  const { site, args } = call;
  const { account, query } = call.request;
  const record = requireRecord(call, resourceOf(call).id, pathParameters(call).last);
  requireEditContext(call);
  if (query.password && query.password !== record.password) {
    throw new Refusal('rest_post_incorrect_password', 'Incorrect post password.', 403);
  }
  if (!mayRead(site.store, record, account)) {
    throw new Refusal('rest_forbidden', 'Sorry, you are not allowed to do that.', 401);
  }
  const shown = showRecord(site, record, {
    context: contextOf(call),
    account,
    password: typeof args.password === 'string' ? args.password : undefined,
    excerptLength: typeof args.excerpt_length === 'number' ? args.excerpt_length : undefined,
  });
  return answer(shown, 200, { Link: `<${permalink(site, record)}>; rel="alternate"; type=text/html` });
};
