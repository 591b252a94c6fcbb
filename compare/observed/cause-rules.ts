import { textsOf } from '../../specs/texts.ts';
import { type Change, isOfType, isRemovedMember } from '../change.ts';
import type { Condition, Test } from './cause-conditions.ts';
import {
  acceptsLess,
  CONDITIONS,
  isInPlaceOfJson,
  isOfAnybody,
  isOfTheEmbedded,
  isOfTheReturned,
  nameOf,
  REMOVED,
  RETURNED,
} from './cause-conditions.ts';
import { isInside, outermost, REFUSED, SOMETIMES, SUBJECTS } from './difference.ts';

/**
 * When a change follows from another one: where it is as seen from its cause, kind and subject of both, and what else
 * must be so.
 */
type Rule = readonly [
  where: Condition,
  cause: RegExp,
  change: RegExp,
  ...also: readonly (Condition | Test)[],
];

/** Assigns each change to its cause: another one, one of those besides, or one of the index. */
export function withCauses(
  changes: readonly Change[],
  declared: readonly Change[],
  besides: readonly Change[] = [],
): Change[] {
  const others = [...changes, ...besides];
  const { real, apparent } = shortPagesAndTotals(changes);
  return changes.map((change) => {
    const cause =
      (apparent.includes(change) ? real : undefined) ??
      causeOf(change, others, RULES) ??
      causeOf(change, declared, DECLARED);
    return cause === undefined ? change : { ...change, cause: cause.id };
  });
}

/** Wrong totals of complete lists only look like too short pages, and short pages of a few lists like wrong totals. */
function shortPagesAndTotals(changes: readonly Change[]): {
  real?: Change | undefined;
  apparent: readonly Change[];
} {
  const short = changes.filter(({ kind }) => kind === 'answer-fewer');
  const isElsewhere = (change: Change, other: Change): boolean => !CONDITIONS.route(other, change);
  const untrue = changes.filter(
    (change) => change.kind === 'answer-totals' && short.every((other) => isElsewhere(change, other)),
  );
  // Lists that end at one and the same number by default are cut there.
  const isCut = changes.some(
    (change) =>
      change.kind === 'default' &&
      short.some((other) => other.after === change.after && isElsewhere(change, other)),
  );
  return untrue.length >= short.length && !isCut
    ? { real: untrue[0], apparent: short }
    : { real: short[0], apparent: untrue };
}

function causeOf(change: Change, others: readonly Change[], all: readonly Rule[]): Change | undefined {
  const rules = all.filter(([, , pattern]) => pattern.test(nameOf(change)));
  return others.find((other) => {
    const name = nameOf(other);
    const isCause = ([where, pattern, , ...also]: Rule): boolean =>
      pattern.test(name) && [where, ...also].every((one) => testOf(one)(other, change));
    return other !== change && rules.some(isCause);
  });
}

function testOf(condition: Condition | Test): Test {
  return typeof condition === 'string' ? CONDITIONS[condition] : condition;
}

function isEmbedded(path: string): boolean {
  return path.startsWith('_embedded.');
}

function isOfTotals({ subject }: Change): boolean {
  return subject === textsOf('observed').totals.records;
}

function isNothing({ subject, before, after }: Change): boolean {
  return after === 'nothing' && (before !== 'list' || subject !== 'the answer');
}

const ANY = /^/;
const REFUSING = /^(right-lost|answer-refused) /;
const SEEN_BY_ALL = /^right-(exposed|gained) .*an anonymous caller$/;

/** Rules for changes of answers, which follow from other ones or from fields of records. */
const RULES: readonly Rule[] = [
  // What embedded records lack or show otherwise, the records themselves do.
  ['anywhere', /^\S+ (?!_embedded\.)/, /^\S+ _embedded\./, isOfTheEmbedded],
  // So do records in the answer to a batch or to a deletion.
  ['anywhere', /^(?:field|answer)-/, / responses\[\]\.body\./, isOfTheReturned],
  ['namespace', /^(?:field|answer)-/, / previous\./, isOfTheReturned],
  [
    'anywhere',
    /^right-exposed /,
    /^right-exposed /,
    ({ after: member = '' }, { after: embedded = '' }) =>
      isEmbedded(embedded) && !isEmbedded(member) && embedded.endsWith(`].${member}`),
  ],
  // The same personal data in a single record, which may be another one.
  ['record', /^right-exposed /, /^right-gained /, 'same result'],
  // A member that a context has now, everybody sees there.
  [
    'namespace',
    /^field-/,
    /^right-gained members of/,
    ({ subject }, { after }) => after?.split(', ').includes(subject) === true,
  ],
  // What everybody sees now, each caller sees.
  ['route', SEEN_BY_ALL, /^right-.*"$/, 'same kind', 'same result'],
  ['record', SEEN_BY_ALL, /^right-.*"$/, 'same kind', 'same result'],
  // A relation that is gone, or no longer embeddable, is not embedded.
  [
    'anywhere',
    /^(field|answer-member)-removed _links/,
    / _embedded/,
    ({ subject: link }, { subject }) =>
      subject === link.replace(/^_links/, '_embedded').replace(/\[\]\.embeddable$/, ''),
  ],
  // A member that some records lack because the object around it is another one, or because certain records do.
  [
    'namespace',
    /^answer-(type|member-removed) /,
    /^field-doubtful /,
    ({ kind, subject: outer }, { subject }) =>
      kind === 'answer-type' ? isInside(subject, outer) : subject === outer,
  ],
  // A field of records that other lists of the namespace lose or gain too.
  [
    'namespace',
    /^field-/,
    /^answer-member-/,
    (cause, change) =>
      cause.subject === change.subject &&
      (change.class === 'unknown' || cause.kind === change.kind.replace('answer-member', 'field')),
  ],
  // Unmodified records of a list of the namespace show a member otherwise, with values of another type, or less of it.
  [
    'namespace',
    /^(answer-(value|type|member-removed)|field-(removed|doubtful)) /,
    /^answer-rendered /,
    (cause, { subject }) => outermost(cause.subject) === outermost(subject),
  ],
  // The address where a record was made is no value of its own.
  [
    'namespace',
    /^answer-value /,
    /^answer-rendered /,
    ({ after = '' }, { subject }) =>
      /\baddress\b/.test(after) && textsOf('observed').origins.includes(subject),
  ],
  // What is embedded is refused now because the route that shows it refuses this caller.
  [
    'namespace',
    REFUSING,
    ANY,
    'sure',
    (_, { after, subject }) => after === REFUSED || (after === SOMETIMES && isEmbedded(subject)),
    'same callers',
  ],
  // A code that was renamed is so for refusals of any kind.
  [
    'anywhere',
    /^refusal-changed the code of "/,
    /^refusal-changed /,
    'sure',
    'unsure',
    'same result',
    (cause, { before }) => cause.before === before,
  ],
  // Pages that end at a number are no larger where the request names none.
  ['namespace', /^answer-fewer /, /^default /, 'same result'],
  // Who is denied everything is so with one code, where nothing was shown before too, and is not told what there is.
  ['anywhere', /^right-lost /, / the code of "denied"$/, 'not by OPTIONS'],
  ['route', / the code of "denied"$/, /^right-lost /, 'of OPTIONS', 'same callers'],
  // A list of another form, or with ids of another type, has no record to read or to describe.
  ['record', /^answer-(form|type) /, /^answer-refused /, 'by lost ids'],
  ['record', /^answer-(form|type) /, ANY, 'by lost ids', 'of OPTIONS'],
  // It may lead to another record, whose children are other ones.
  ['below', /^answer-form /, /^right-lost /, 'of the list', 'unsure'],
  // A few records, read one by one, show what their whole list shows. Refusals are not about the content.
  [
    'record',
    /^(?!refusal-changed )/,
    ANY,
    'same kind',
    'sure',
    'unsure',
    (cause, { subject }) => cause.subject.replace(/^\*\./, '') === subject,
  ],
  // What all objects of a map show, the few that another caller sees show too.
  [
    'route',
    / \*\./,
    ANY,
    'same kind',
    'unsure',
    (cause, { subject }) => subject.endsWith(cause.subject.slice(1)),
  ],
  // Refusals with a status of success are among the answers.
  [
    'anywhere',
    /^refusal-changed the status of "(?!unknown route")/,
    /^answer-form /,
    ({ after = '' }, change) => after.startsWith('2') && change.after === 'refusal',
  ],
  // A site that answers refusals in another way does so for routes that it does not have.
  ['anywhere', /^answer-form /, /^refusal-changed the status of "unknown route"$/],
  // A header that answers lost is also lost in refusals.
  [
    'anywhere',
    /^header-removed /,
    /^header-removed .* of refusals$/,
    (cause, { subject }) => subject === cause.subject + SUBJECTS.ofRefusals,
  ],
  // A page in place of JSON is also in place of refusals, with its own status; if only of these, in preflights too.
  ['route', /^answer-unreadable the body$/, /^refusal-changed the status of "denied"$/, 'not by OPTIONS'],
  ['route', /^refusal-changed the status of "denied"$/, /^answer-unreadable the body$/, 'of OPTIONS'],
  // What is printed around the answers of a list is printed around refusals of it, and of all below it.
  ['route', /^answer-unreadable the body$/, / the body of "/],
  ['below', /^answer-unreadable the body$/, / the body of "/, 'same result'],
  ['anywhere', /^answer-unreadable the body$/, / the body of "unknown route"$/, 'same result'],
  // If pages repeat the first one, even without ids to prove it, their links follow, but the first one keeps its own.
  [
    'anywhere',
    /^answer-repeated pages$/,
    /^header-words link$/,
    (_, { before }) => before?.includes('next') !== true,
  ],
  // A list that refuses its caller refuses what is below it in the same way.
  ['below', REFUSING, /^refusal-changed /, 'same callers'],
  ['below', REFUSING, /^right-lost /, 'of OPTIONS', 'same callers'],
  ['below', REFUSING, /^right-lost /, 'of the list', 'unsure', 'same callers'],
  // A route that refuses a caller is not described to it.
  ['route', REFUSING, ANY, 'not by OPTIONS', 'of OPTIONS', 'same callers'],
  // A page in place of JSON has headers of its own, which are all that HEAD shows of it.
  ['route', /^answer-(?:unreadable (?!the body of)|refused the request$)/, /^header-(?!.* of refusals$)/],
  // What the user is denied, nobody is shown without credentials.
  ['route', /^right-lost the caller "user"/, /^right-lost an anonymous caller/, isOfAnybody],
  ['record', /^right-lost the caller "user"$/, /^right-lost an anonymous caller/, isOfAnybody],
  // Who is denied everything is so with a text in place of JSON, where nothing was shown before too.
  [
    'namespace',
    /^right-lost /,
    /^answer-unreadable the body of "denied"$/,
    'sure',
    'not by OPTIONS',
    'same callers',
  ],
  ['route', / the body of "denied"$/, /^right-lost /, 'of OPTIONS'],
  // A caller with other rights may use other methods.
  ['route', /^right-/, /^header-\S+ allow/, 'same callers'],
  // The first page is another if some of its records are hidden.
  ['route', /^right-lost /, /^answer-order /, ({ before }) => before === 'the list', 'unsure'],
  // Pages in another order may begin as the first one did.
  ['route', /^answer-order /, /^answer-repeated /, 'unsure'],
  // A caller who is denied a route is denied it in any form.
  [
    'route',
    /^right-lost /,
    /^right-lost /,
    (cause, { subject }) => subject.startsWith(`${cause.subject} with `),
  ],
  // Answers to writes show what becomes of the markup that these send.
  [
    'anywhere',
    / written with markup$/,
    /^answer-value .*\.raw$/,
    'unsure',
    (cause, { subject }) => cause.subject.startsWith(`${outermost(subject.replace(RETURNED, ''))} `),
  ],
  // If a caller is denied a list, others are asked for other records of it.
  ['record', REFUSING, /^answer-refused records of a list$/, 'unsure'],
  // Who may no longer edit the records of a list is not shown those that are not public.
  [
    'route',
    /^right-lost .* with context=/,
    /^right-lost .* with status=/,
    (cause, { subject }) => subject.startsWith(cause.subject.replace(/context=.*$/, '')),
  ],
  // The headers about pages are lost together.
  ['route', /^header-removed /, /^header-words link$/, isOfTotals],
  [
    'route',
    /^header-removed /,
    /^header-removed /,
    isOfTotals,
    (_, { subject }) => subject === textsOf('observed').totals.pages,
  ],
  // Pages of another size, or with a record twice, do not match their totals.
  ['route', /^default /, /^answer-totals /, 'unsure'],
  ['route', /^answer-repeated one page$/, /^answer-totals /, 'sure'],
  // What is added to every page makes it longer, and is repeated.
  ['route', /^answer-repeated pages$/, /^(?:default|answer-(?:totals|order|filter)) /, 'sure'],
  ['route', /^answer-fewer /, /^answer-totals /],
  // If totals are wrong, the size of pages only seems to be another.
  ['route', /^answer-totals /, /^default /, 'sure'],
  // Totals that are wrong for everybody say nothing about rights.
  ['route', /^answer-totals /, /^right-lost /, 'of the list'],
  // Requests for records that are refused show none.
  ['route', /^answer-refused /, /^right-lost /, 'of the list', 'unsure'],
  // Links of another form lead elsewhere.
  [
    'route',
    /^(?!answer-rendered)\S+ _links/,
    /^answer-rendered /,
    (cause, { subject }) => cause.subject.startsWith(subject.replace('*', '')),
  ],
  // Texts that show now were not rendered differently.
  ['route', /^right-exposed /, /^answer-rendered /, ({ after }) => after === 'an answer'],
  // A short answer that breaks off is empty.
  ['route', /^answer-unreadable the body$/, /^answer-form /, (_, { after }) => after === 'nothing'],
  // HEAD only shows the content type of a page, and answers of another type are refusals too.
  ['route', /^(answer-unreadable .*|header-words content-type)$/, / the content type of refusals$/],
  // A type that answers have now, refusals have where nothing was answered; so they have if HEAD is refused.
  [
    'anywhere',
    /^header-words content-type$/,
    / the content type of refusals$/,
    'sure',
    ({ after: now = '' }, { before, after = '' }) =>
      now.startsWith('without ')
        ? `${after};${now.replace('without ', '')}` === before
        : after.startsWith(now.split(',')[0] ?? after),
  ],
  [
    'namespace',
    /^answer-refused /,
    / the content type of refusals$/,
    'same methods',
    (_, { calls }) => calls?.methods.join() === 'HEAD',
  ],
  // What is in place of a list is in place of the description of its route, and of its refusals, whose codes it lacks.
  ['route', /^answer-form the answer$/, ANY, 'by a list', isInPlaceOfJson],
  [
    'namespace',
    /^answer-form the answer$/,
    /^answer-form /,
    'by a list',
    'same result',
    (_, change) => isNothing(change),
  ],
  // Another form has other headers, but for the methods, and lacks the chosen members and those of an envelope.
  [
    'route',
    /^answer-form /,
    /^(header-removed (?!allow$|.* of refusals$)|answer-(chosen|status|totals|member-removed) )/,
    'same callers',
  ],
  // Who gets other answers gets other refusals.
  ['route', /^(right-|answer-(refused|unreadable) )/, /^(refusal-|answer-unreadable )/, 'same calls'],
  ['route', /^answer-form /, /^(refusal-member-|answer-unreadable )/, 'same calls'],
];

/** Rules for changes of answers that the index now declares. */
const DECLARED: readonly Rule[] = [
  // An operation that accepts less refuses calls.
  ['declared', ANY, /^answer-refused /, acceptsLess, (_, { after = '' }) => /\b400\b/.test(after)],
  ['declared', /^required-parameter-added /, /^refusal-changed /, acceptsLess],
  ['declared', /^default /, /^default /, ({ about }, { calls }) => about?.parameter === calls?.parameter],
  ['declared', /^method-removed /, /^header-words allow$/],
  // Records lack what nobody may write any more.
  ['written', /^parameter-removed /, REMOVED],
  ['written', /^constraint /, REMOVED, isRemovedMember],
  ['written', /^constraint /, /^answer-type /, ({ subject }) => isOfType(subject)],
];
