import type { Contract, Operation } from '../../model.ts';
import type { Part } from '../part.ts';
import { fieldsSchema, shownRecords } from '../records.ts';
import { type Addressing, addressOf, serversOf } from './addressing.ts';
import { answerSchemas, answersOf } from './answers.ts';
import { bodyOf } from './bodies.ts';
import { openParameters, queryParameter } from './parameters.ts';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const SCHEME = 'applicationPassword';
/** The tag of the routes that belong to no namespace. */
const NO_NAMESPACE = 'index';

/** An OpenAPI document. */
export interface OpenApi extends Part {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

/** A contract as OpenAPI 3.1: what is stated of its operations, with where it is stated in members that begin with `x-`. */
export function toOpenApi(contract: Contract, addressing: Addressing): OpenApi {
  const records = shownRecords(contract);
  const tags = new Map(contract.namespaces.map(({ name, wire }) => [name, wire]));
  const paths: Record<string, Record<string, Part>> = {};
  const templates = new Map<string, string>();
  for (const operation of contract.operations) {
    const { path: plain, parameters } = addressOf(operation, addressing);
    const path = pathOf(plain, operation, templates);
    for (const method of operation.methods) {
      const described = describe(operation, method, {
        tag: tags.get(operation.route.namespace) ?? NO_NAMESPACE,
        parameters,
        responses: answersOf(operation, records),
      });
      paths[path] = { ...paths[path], [method.toLowerCase()]: described };
    }
  }
  const fields = contract.resources.flatMap((resource): [string, Part][] => {
    const schema = fieldsSchema(resource);
    return schema === undefined ? [] : [[`${resource.id}.fields`, schema]];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `The contract of ${contract.deployment}`,
      version: contract.digest.replace(/^sha256:/, '').slice(0, 12),
      description: aboutOf(contract, addressing),
    },
    servers: serversOf(addressing),
    security: [{}, { [SCHEME]: [] }],
    tags: [NO_NAMESPACE, ...tags.values()].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        [SCHEME]: {
          type: 'http',
          scheme: 'basic',
          description:
            'The name of a user and an application password (§5). Who may call what is not stated.',
        },
      },
      schemas: { ...answerSchemas(records), ...Object.fromEntries(fields) },
    },
    'x-contract': contract.digest,
    'x-vocabulary': contract.vocabulary,
  };
}

/** Paths that differ in the names of their parameters alone are one to OpenAPI: what follows `#` tells them apart. */
function pathOf(plain: string, { route }: Operation, templates: Map<string, string>): string {
  const template = plain.replaceAll(/\{\w+\}/g, '{}');
  const first = templates.get(template) ?? plain;
  templates.set(template, first);
  return first === plain ? plain : `${plain}#${route.pathParameters.map(({ name }) => name).join(',')}`;
}

interface Around {
  readonly tag: string;
  readonly parameters: readonly Part[];
  readonly responses: Part;
}

function describe(operation: Operation, method: string, { tag, parameters, responses }: Around): Part {
  const { id, methods, route, section, basis, effect, batchable, resource, role } = operation;
  const query = WITH_BODY.has(method) ? [] : openParameters(operation).map(queryParameter);
  const requestBody = WITH_BODY.has(method) ? bodyOf(operation) : undefined;
  return {
    // One operation may have several methods, and an id is given once.
    operationId: method === methods[0] ? id : `${id}.${method.toLowerCase()}`,
    summary: `${method} ${route.wire}`,
    tags: [tag],
    ...(effect !== 'reads' && { security: [{ [SCHEME]: [] }] }),
    parameters: [...parameters, ...query],
    ...(requestBody !== undefined && { requestBody }),
    responses,
    'x-operation': id,
    'x-route': route.wire,
    'x-section': section,
    'x-basis': basis,
    'x-effect': effect,
    'x-batchable': batchable,
    ...(resource !== undefined && { 'x-resource': resource.id, 'x-role': role }),
  };
}

function aboutOf({ vocabulary }: Contract, { pretty }: Addressing): string {
  const how =
    pretty === undefined
      ? 'A route is the query parameter rest_route of index.php (§1); what follows # in a path only tells routes apart.'
      : `Routes are paths under /${pretty}, where the site has such addresses; everywhere they are reached as {base}/index.php?rest_route=ROUTE (§1).`;
  return `${how} Everything is stated in the sections that x-section names; what is left out is not stated. Vocabulary: ${vocabulary}.`;
}
