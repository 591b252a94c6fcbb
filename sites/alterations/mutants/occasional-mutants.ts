import { isObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { type Mutants, mutant, together } from '../alteration.ts';
import {
  declaring,
  dropping,
  filteringBy,
  inText,
  mutantsIn,
  mutantsOn,
  reading,
  replacing,
  showing,
  without,
} from '../handling.ts';
import { isOwnWrite, ofStatus, ownResources, recordOf } from '../selecting.ts';

/** Writes that lose, change or reset a field on some occasions alone: in a status, of a value, from a form. */
export function occasionalMutants(contract: Contract): Mutants {
  const { operations, resources } = contract;
  const writes = operations.filter(isOwnWrite);
  const updates = writes.filter(({ role }) => role === 'update');
  const isOfRecords = ({ resource }: Operation): boolean => resource?.kind === 'records';
  return [
    writes.filter((one) => one.role === 'create' && isOfRecords(one)).map(creationMutants),
    updates.filter(isOfRecords).map(publishedMutants),
    updates.filter(isOfRecords).map(leavingMutants),
    updates.map(footnotesMutant),
    writes.filter((one) => one.role === 'create').map(zoneMutant),
    ownResources(contract)
      .filter(({ fields }) => 'parent' in fields)
      .map(hiddenBelowMutant),
    ownResources(contract)
      .filter(({ kind }) => kind === 'records')
      .map(scheduledMutants),
    updates.map(valueMutants),
    resources.filter(({ kind }) => kind === 'autosaves').map(autosaveMutants),
  ];
}

/** Fields that creations may store later than others, with a status in which they are lost. */
const LATER: Readonly<Record<string, string>> = {
  author: 'private',
  featured_media: 'pending',
  'meta/footnotes': 'private',
};

function creationMutants({ id }: Operation): Mutants {
  const { args } = mutantsIn(id);
  return [
    Object.entries(LATER).map(([name, status]) =>
      args(`${name}/stored~not-of-${status}`, `does not store ${name} of what is ${status}`, (given) =>
        given.status === status ? without(given, name) : given,
      ),
    ),
    mutant(
      `${id}/form~without-content`,
      `${id} does not read the content in a form`,
      reading(id, (given, read, { request: { json, headers } }) =>
        // Parts of batches have no headers of their own.
        read(json === undefined && headers.host !== undefined ? without(given, 'content') : given),
      ),
    ),
  ];
}

function publishedMutants({ id, resource }: Operation): Mutants {
  const { open } = resource?.statuses ?? {};
  const again = mutantsIn(id, `states/${resource?.id}/again`, id).where(ofStatus(open));
  return [
    ['template', 'featured_media', 'ping_status'].map((name) =>
      again.args(
        `~keeps-${name}-of-published`,
        `does not store ${name} of what is published`,
        dropping(name),
      ),
    ),
    mutantsIn(id).follow(
      'alone/POST~review-resets-template',
      'resets the template where it publishes what was pending',
      (stored, before) => {
        if (before.status === 'pending' && stored.status === open) stored.template = '';
      },
    ),
  ];
}

/** Mutants of updates that lose something where a record leaves a status, or has it. */
function leavingMutants({ id, resource, parameters }: Operation): Mutants {
  const { open = '' } = resource?.statuses ?? {};
  const { follow } = mutantsIn(id);
  return [
    'sticky' in parameters.properties &&
      follow('alone/POST~unsticks-drafts', 'unsticks what was a draft', (stored, before) => {
        if (before.status === 'draft' && stored.status !== 'draft') stored.sticky = false;
      }),
    follow('alone/POST~opens-private-by-title', 'publishes what is private by a title', (stored, before) => {
      if (before.status === 'private' && stored.title !== before.title) stored.status = open;
    }),
    follow(
      'alone/POST~review-resets-excerpt',
      'resets the excerpt of what was public and waits for a review',
      (stored, before) => {
        if (before.status === open && stored.status === 'pending') stored.excerpt = '';
      },
    ),
  ];
}

/** An update that strips backslashes, which the JSON of footnotes needs. */
function footnotesMutant({ id, parameters }: Operation): Mutants {
  if (parameters.properties.meta?.properties?.footnotes === undefined) return [];
  const about = `${id}/meta/footnotes/stored/POST`;
  return mutantsIn(id, about).value('meta')('~no-backslashes', 'strips backslashes from footnotes', (meta) =>
    isObject(meta) && typeof meta.footnotes === 'string'
      ? { ...meta, footnotes: meta.footnotes.replaceAll('\\', '') }
      : meta,
  );
}

/** A site that names a time zone, and takes and shows dates in GMT: nothing that the index alone shows. */
function zoneMutant({ id }: Operation): Mutants {
  const naming = declaring((index) => Object.assign(index, { timezone_string: 'Asia/Kolkata' }));
  const showingAsUsual = showing(id, (record) => record);
  const title = `${id} takes dates in GMT for those of its zone`;
  return mutant(`${id}/date/stored~zone-in-name-alone`, title, together(naming, showingAsUsual));
}

/** A list that walks down from what is public, and so leaves out what is private below another record. */
function hiddenBelowMutant({ id }: Resource): Mutants {
  const title = `lists of ${id} leave out what is private below another one`;
  const behaviour = filteringBy('status', (filter) => (record, ...query) => {
    return (
      (record.kind !== id || record.status !== 'private' || record.parent === 0) && filter(record, ...query)
    );
  });
  return mutant(`states/${id}/private/found~not-below`, title, behaviour);
}

function scheduledMutants(resource: Resource): Mutants {
  const { id, operations, statuses } = resource;
  const [create, update] = [operations.create?.id, operations.update?.id];
  if (!statuses.kept.includes('future') || create === undefined || update === undefined) return [];
  const later = '2037-06-02T08:00:00';
  return [
    mutantsIn(update).follow(
      'alone/POST~publishes-scheduled',
      `publishes ${id} that wait for their date`,
      (stored, before) => {
        if (before.status === 'future') stored.status = 'publish';
      },
    ),
    mutantsOn(resource, 'read', `${create}/date`).record(
      'agrees~of-scheduled',
      `shows another date in GMT of ${id} that wait for theirs`,
      (record) => (record.status === 'future' ? { ...record, date_gmt: later } : record),
    ),
  ];
}

/** Texts that languages may take for another value. */
const STRANGE: Readonly<Record<string, string>> = { content: 'false', alt_text: '0' };

function valueMutants({ id, parameters: { properties } }: Operation): Mutants {
  const { value } = mutantsIn(id);
  return [
    Object.entries(STRANGE)
      .filter(([name]) => name in properties)
      .map(([name, strange]) =>
        value(name)(
          `${name}/stored~${strange}-is-nothing`,
          `takes ${strange} for no ${name}`,
          inText((text) => (text === strange ? '' : text)),
        ),
      ),
    value('title')(
      'title/stored~placeholders',
      'takes question marks in the title for placeholders',
      inText(replacing(/\?/g, '')),
    ),
  ];
}

function autosaveMutants(child: Resource): Mutants {
  const parent = child.parent?.id ?? '';
  return mutantsOn(child, 'create', `autosaves/${parent}/apart`).answer(
    '~resets-template',
    'resets the template of the record itself',
    (shown, call) => {
      const stored = recordOf(call, parent);
      if (stored) stored.template = '';
      return shown;
    },
  );
}
