import type { Operation } from '../../reference/contract.ts';
import type { Json } from '../../reference/json.ts';
import { fileAddress, permalink } from '../../reference/show-record.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import { handling, healthy, without } from '../toolkit/handling.ts';

/** Stands for a value that a lenient site did not refuse. */
export const REPAIRED = 'http://127.0.0.1/repaired';

type Repair = (call: Call) => Call;

/**
 * What a lenient site makes of a value that it should refuse, by operation and parameter: where leaving the value out is
 * refused for its meaning, being lenient would not show otherwise.
 */
const REPAIRS: Readonly<Record<string, Repair>> = {
  'oembed.embed/url': withRecord,
  'oembed.proxy/url': withRecord,
};

/** As `REPAIRS`, by the role of the operation on a resource, and the parameter. */
const ROLE_REPAIRS: Readonly<Record<string, Repair>> = {
  'edit/src': (call) => {
    const stored = call.site.store.get(Number(call.args.id));
    return withArgument(call, 'src', stored?.file ? fileAddress(call.site, stored) : null);
  },
  'delete/force': (call) => withArgument(call, 'force', true),
  'read/password': withoutPassword,
};

function repairOf({ id, resource, role }: Operation, name: string): Repair | undefined {
  // Without force, what has a trash is moved there, and what is a child of another is refused for good.
  if (role === 'delete' && (resource?.trash === true || resource?.parent)) return undefined;
  return REPAIRS[`${id}/${name}`] ?? (resource && ROLE_REPAIRS[`${role}/${name}`]);
}

/** Whether a lenient site has to make something of a value. */
export function isRepaired(operation: Operation, name: string): boolean {
  return repairOf(operation, name) !== undefined;
}

/** A site that makes something of the argument `REPAIRED`; as usual where that is not needed. */
export function repairing(operation: Operation, name: string): Partial<Behaviour> {
  const repair = repairOf(operation, name);
  if (!repair) return {};
  return handling(operation.id, (call) => healthy(call.args[name] === REPAIRED ? repair(call) : call));
}

function withArgument(call: Call, name: string, value: Json): Call {
  return { ...call, args: { ...call.args, [name]: value } };
}

function withRecord(call: Call): Call {
  const record = call.site.store.all().find(({ status }) => status === 'publish');
  return withArgument(call, 'url', record ? permalink(call.site, record) : null);
}

function withoutPassword(call: Call): Call {
  const request = { ...call.request, query: without(call.request.query, 'password') };
  return { ...call, request, args: without(call.args, 'password') };
}
