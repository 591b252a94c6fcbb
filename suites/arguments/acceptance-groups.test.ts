import { describe, expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import {
  groupSamples,
  isAcceptedIn,
  joinedValue,
  type SampleGroup,
  samplesOf,
  withMembers,
} from './acceptance-groups.ts';
import { goodArgument } from './calls/argument-values.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

/** The values of a parameter of the list of posts in all requests. */
function valuesOf(name: string, joins: boolean): unknown[] {
  const list = contract.operations.find(({ id }) => id === 'posts.list');
  const groups = groupSamples(list === undefined ? [] : samplesOf(list), joins);
  return groups
    .map((group) => group.filter(({ parameter }) => parameter.name === name))
    .filter((own) => own.length > 0)
    .map(joinedValue);
}

describe('samples of one parameter', () => {
  it('are combined into one value if they are members of a list or object, and otherwise spread over requests', () => {
    expect(valuesOf('status', true)).toContainEqual(expect.arrayContaining(['publish', 'draft', 'any']));
    expect(valuesOf('status', true).length).toBeLessThan(4);
    expect(valuesOf('categories', true)).toContainEqual({
      terms: [1, 2],
      include_children: true,
      operator: 'AND',
    });
    expect(valuesOf('orderby', true)).toEqual(valuesOf('orderby', false));
  });

  it('have a request each if they must be told apart, as in writes', () => {
    expect(valuesOf('status', false).length).toBeGreaterThan(10);
    expect(valuesOf('status', false)).toContainEqual(['draft']);
  });
});

describe('members of a list', () => {
  const list = contract.operations.find(({ id }) => id === 'posts.list');
  const samples = list === undefined ? [] : samplesOf(list);
  const without = (name: string): SampleGroup[] =>
    groupSamples(
      samples.filter(({ parameter }) => parameter.name !== name),
      true,
    );

  it('that repeat in several requests are all in one request, and one in each other request', () => {
    const groups = withMembers(without('format'), samples, 3);
    const formats = groups.map((group) => group.filter(({ parameter }) => parameter.name === 'format'));
    expect(formats[0]).toHaveLength(10);
    expect(new Set(formats.slice(1).map(({ length }) => length))).toEqual(new Set([1]));
    expect(formats[1]).not.toEqual(formats[2]);
  });

  it('need no additional request', () => {
    expect(withMembers([], samples, 3)).toEqual([]);
  });
});

describe('rights of users', () => {
  const role: Parameter = {
    name: 'roles',
    wire: 'roles',
    in: 'body',
    required: false,
    section: '1',
    basis: 'stated',
    schema: { type: 'array', items: { type: 'string', enum: ['author', 'editor'] } },
  };
  const altering = (parameter: Parameter): Operation | undefined => {
    const [operation] = contract.operations;
    return operation && { ...operation, effect: 'alters-site', parameters: [parameter] };
  };

  it('are not changed in mode full, which could lock out the user of the run', () => {
    const updating = altering(role);
    expect(updating && samplesOf(updating)).toEqual([]);
    expect(updating && goodArgument(updating, role)).toBeUndefined();
  });

  it('are not changed through the address of the site, which would become unreachable', () => {
    const [operation] = contract.operations;
    const address: Parameter = {
      ...role,
      name: 'url',
      wire: 'url',
      schema: { type: 'string', format: 'uri' },
    };
    const settings = (path: string): Operation | undefined =>
      operation && {
        ...operation,
        route: { ...operation.route, path },
        effect: 'alters-site',
        parameters: [address],
      };
    const [site, redirect] = [settings('/cms/v2/settings'), settings('/redirection/v1/redirect')];
    expect(site && goodArgument(site, address)).toBeUndefined();
    expect(redirect && goodArgument(redirect, address)).toBeDefined();
  });

  it('are only given to a new user, if required', () => {
    const required = { ...role, required: true };
    const creating = altering(required);
    expect(creating && goodArgument(creating, required)).toEqual(['author']);
  });
});

describe('a sample in an accepted call of another check', () => {
  const list = contract.operations.find(({ id }) => id === 'posts.list');
  const taken = (query: string): string[] => {
    const pairs = [...new URLSearchParams(query)];
    const samples = list === undefined ? [] : samplesOf(list);
    return samples
      .filter((sample) => isAcceptedIn([pairs], sample))
      .map(
        ({ checkId, accepted: { value } }) =>
          `${checkId.split('/').slice(1).join(' ')} ${JSON.stringify(value)}`,
      );
  };

  it('is recognised by its value, and by the spelling of a list or date', () => {
    expect(taken('status[]=draft&order=asc')).toEqual([
      'order enum accepted "asc"',
      'status items enum accepted ["draft"]',
    ]);
    expect(taken('author=7,30,4')).toEqual([]);
    expect(taken('author[]=7&author[]=8')).toEqual(['author type accepted [1,2]']);
    expect(taken('after=2020-01-01T00:00:00Z')).toEqual(['after format accepted "2024-05-06T07:08:09Z"']);
  });

  it('is not recognised by a single number', () => {
    expect(taken('author[]=7')).toEqual([]);
    expect(taken('author[]=1')).toEqual(['author items type accepted [1]']);
    expect(taken('sticky=0')).toEqual([]);
    expect(taken('sticky=false')).toEqual(['sticky type accepted false']);
    expect(taken('per_page=99')).toEqual([]);
    expect(taken('per_page=100')).toEqual(['per_page maximum accepted 100']);
  });
});
