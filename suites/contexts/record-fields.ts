import { checkId } from '../../engine/check-id.ts';
import { operationFor } from '../../specs/find-resource.ts';
import type { Contract, Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';

/** A member inside a writable field, such as `raw` in `title`, with the contexts that are named for it. */
export interface FieldMember {
  readonly field: string;
  readonly member: string;
  readonly contexts: readonly string[];
  readonly section: string;
}

/**
 * The fields of the records of a collection (§2): those that can be written when one is created.
 * @returns nothing where the deployment has no operation that creates its records
 */
export function fieldsOf(contract: Contract, collection: string): readonly Parameter[] {
  return operationFor(contract, collection, 'create')?.parameters ?? [];
}

/** The members of all fields whose contexts are named; the others may appear in any (R13). */
export function membersOf(contract: Contract, collection: string): FieldMember[] {
  return fieldsOf(contract, collection).flatMap(({ wire, schema, section }) =>
    Object.entries(schema.properties ?? {}).flatMap(([member, inner]: [string, Schema]) => {
      const contexts = inner['x-contexts'];
      return contexts === undefined ? [] : [{ field: wire, member, contexts, section }];
    }),
  );
}

/** The check that reports a context which makes the server fail; every other check that sees it hangs on this one. */
export function rootCheckOf(contract: Contract, collection: string, way: 'list' | 'read'): string {
  const [first] = membersOf(contract, collection);
  return checkId(`${collection}.${way}`, 'contexts', first && memberName(first));
}

/** A member as ids and reports name it: `title.raw`. */
export function memberName({ field, member }: FieldMember): string {
  return `${field}.${member}`;
}
