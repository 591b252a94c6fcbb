import { textsOf } from '../../specs/texts.ts';
import { type Change, isOfType, isRemovedMember } from '../change.ts';
import {
  acceptsLess,
  answersCallers,
  answersCalls,
  anywhere,
  below,
  hasNoId,
  haveSameMethods,
  inNamespace,
  isAfterEqual,
  isEmbedded,
  isEmbeddedUnder,
  isInPlaceOfJson,
  isNothing,
  isNotOfOptions,
  isOfAnybody,
  isOfHead,
  isOfList,
  isOfOptions,
  isOfPages,
  isOfTheEmbedded,
  isOfTheList,
  isOfTheReturned,
  isOfTotals,
  isSameKind,
  isSure,
  isUnsure,
  nameOf,
  ofChange,
  ofRecord,
  onDeclared,
  onRoute,
  REMOVED,
  RETURNED,
  type Test,
  whereWritten,
} from './cause-tests.ts';
import { isInside, outermost, REFUSED, SOMETIMES, SUBJECTS } from './difference.ts';

/**
 * When a change follows from another one: where it is as seen from its cause, kind and subject of both, and what else
 * must be so.
 */
type Rule = readonly [isThere: Test, cause: RegExp, change: RegExp, ...also: readonly Test[]];

/** Assigns each change to its cause: another one, one of those besides, or one of the index. */
export function withCauses(
  changes: readonly Change[],
  declared: readonly Change[],
  besides: readonly Change[] = [],
): Change[] {
  const short = changes.filter(({ kind }) => kind === 'answer-fewer');
  const untrue = changes.filter(
    (change) => change.kind === 'answer-totals' && !short.some((other) => onRoute(other, change)),
  );
  // Lists that end at one and the same number by default are cut there.
  const isCut = changes.some(
    (change) =>
      change.kind === 'default' &&
      short.some((other) => other.after === change.after && !onRoute(other, change)),
  );
  // Wrong totals of complete lists only look like too short pages, and short pages of a few lists like wrong totals.
  const [real, apparent] = untrue.length >= short.length && !isCut ? [untrue, short] : [short, untrue];
  const others = [...changes, ...besides];
  return changes.map((change) => {
    const cause =
      (apparent.includes(change) ? real[0] : undefined) ??
      causeOf(change, others, RULES) ??
      causeOf(change, declared, DECLARED);
    return cause === undefined ? change : { ...change, cause: cause.id };
  });
}

function causeOf(change: Change, others: readonly Change[], all: readonly Rule[]): Change | undefined {
  const rules = all.filter(([, , pattern]) => pattern.test(nameOf(change)));
  return others.find((other) => {
    const name = nameOf(other);
    const isCause = ([isThere, pattern, , ...also]: Rule): boolean =>
      pattern.test(name) && [isThere, ...also].every((test) => test(other, change));
    return other !== change && rules.some(isCause);
  });
}

const ANY = /^/;
const REFUSING = /^(right-lost|answer-refused) /;
const SEEN_BY_ALL = /^right-(exposed|gained) .*an anonymous caller$/;

/** Rules for changes of answers, which follow from other ones or from fields of records. */
const RULES: readonly Rule[] = [
  // What embedded records lack or show otherwise, the records themselves do.
  [anywhere, /^\S+ (?!_embedded\.)/, /^\S+ _embedded\./, isOfTheEmbedded],
  // So do records in the answer to a batch or to a deletion.
  [anywhere, /^(?:field|answer)-/, / responses\[\]\.body\./, isOfTheReturned],
  [inNamespace, /^(?:field|answer)-/, / previous\./, isOfTheReturned],
  [
    anywhere,
    /^right-exposed /,
    /^right-exposed /,
    ({ after: member = '' }, { after: embedded = '' }) =>
      isEmbedded(embedded) && !isEmbedded(member) && embedded.endsWith(`].${member}`),
  ],
  // The same personal data in a single record, which may be another one.
  [ofRecord, /^right-exposed /, /^right-gained /, isAfterEqual],
  // A member that a context has now, everybody sees there.
  [
    inNamespace,
    /^field-/,
    /^right-gained members of/,
    ({ subject }, { after }) => after?.split(', ').includes(subject) === true,
  ],
  // What everybody sees now, each caller sees.
  [onRoute, SEEN_BY_ALL, /^right-.*"$/, isSameKind, isAfterEqual],
  [ofRecord, SEEN_BY_ALL, /^right-.*"$/, isSameKind, isAfterEqual],
  // A relation that is gone, or no longer embeddable, is not embedded.
  [anywhere, /^(field|answer-member)-removed _links/, / _embedded/, isEmbeddedUnder],
  // A member that some records lack because the object around it is another one, or because certain records do.
  [
    inNamespace,
    /^answer-(type|member-removed) /,
    /^field-doubtful /,
    ({ kind, subject: outer }, { subject }) =>
      kind === 'answer-type' ? isInside(subject, outer) : subject === outer,
  ],
  // A field of records that other lists of the namespace lose or gain too.
  [
    inNamespace,
    /^field-/,
    /^answer-member-/,
    (cause, change) =>
      cause.subject === change.subject &&
      (isUnsure(cause, change) || cause.kind === change.kind.replace('answer-member', 'field')),
  ],
  // Unmodified records of a list of the namespace show a member otherwise, with values of another type, or less of it.
  [
    inNamespace,
    /^(answer-(value|type|member-removed)|field-(removed|doubtful)) /,
    /^answer-rendered /,
    (cause, { subject }) => outermost(cause.subject) === outermost(subject),
  ],
  // The address where a record was made is no value of its own.
  [
    inNamespace,
    /^answer-value /,
    /^answer-rendered /,
    ({ after = '' }, { subject }) =>
      /\baddress\b/.test(after) && textsOf('observed').origins.includes(subject),
  ],
  // What is embedded is refused now because the route that shows it refuses this caller.
  [
    inNamespace,
    REFUSING,
    ANY,
    isSure,
    (_, { after, subject }) => after === REFUSED || (after === SOMETIMES && isEmbedded(subject)),
    answersCallers,
  ],
  // A code that was renamed is so for refusals of any kind.
  [
    anywhere,
    /^refusal-changed the code of "/,
    /^refusal-changed /,
    isSure,
    isUnsure,
    isAfterEqual,
    (cause, { before }) => cause.before === before,
  ],
  // Pages that end at a number are no larger where the request names none.
  [inNamespace, /^answer-fewer /, /^default /, isAfterEqual],
  // Who is denied everything is so with one code, where nothing was shown before too, and is not told what there is.
  [anywhere, /^right-lost /, / the code of "denied"$/, isNotOfOptions],
  [onRoute, / the code of "denied"$/, /^right-lost /, ofChange(isOfOptions), answersCallers],
  // A list of another form, or with ids of another type, has no record to read or to describe.
  [ofRecord, /^answer-(form|type) /, /^answer-refused /, hasNoId],
  [ofRecord, /^answer-(form|type) /, ANY, hasNoId, ofChange(isOfOptions)],
  // It may lead to another record, whose children are other ones.
  [below, /^answer-form /, /^right-lost /, ofChange(isOfTheList), isUnsure],
  // A few records, read one by one, show what their whole list shows. Refusals are not about the content.
  [
    ofRecord,
    /^(?!refusal-changed )/,
    ANY,
    isSameKind,
    isSure,
    isUnsure,
    (cause, { subject }) => cause.subject.replace(/^\*\./, '') === subject,
  ],
  // What all objects of a map show, the few that another caller sees show too.
  [
    onRoute,
    / \*\./,
    ANY,
    isSameKind,
    isUnsure,
    (cause, { subject }) => subject.endsWith(cause.subject.slice(1)),
  ],
  // Refusals with a status of success are among the answers.
  [
    anywhere,
    /^refusal-changed the status of "(?!unknown route")/,
    /^answer-form /,
    ({ after = '' }, change) => after.startsWith('2') && change.after === 'refusal',
  ],
  // A site that answers refusals in another way does so for routes that it does not have.
  [anywhere, /^answer-form /, /^refusal-changed the status of "unknown route"$/],
  // A header that answers lost is also lost in refusals.
  [
    anywhere,
    /^header-removed /,
    /^header-removed .* of refusals$/,
    (cause, { subject }) => subject === cause.subject + SUBJECTS.ofRefusals,
  ],
  // A page in place of JSON is also in place of refusals, with its own status; if only of these, in preflights too.
  [onRoute, /^answer-unreadable the body$/, /^refusal-changed the status of "denied"$/, isNotOfOptions],
  [
    onRoute,
    /^refusal-changed the status of "denied"$/,
    /^answer-unreadable the body$/,
    ofChange(isOfOptions),
  ],
  // What is printed around the answers of a list is printed around refusals of it, and of all below it.
  [onRoute, /^answer-unreadable the body$/, / the body of "/],
  [below, /^answer-unreadable the body$/, / the body of "/, isAfterEqual],
  [anywhere, /^answer-unreadable the body$/, / the body of "unknown route"$/, isAfterEqual],
  // If pages repeat the first one, even without ids to prove it, their links follow, but the first one keeps its own.
  [
    anywhere,
    /^answer-repeated pages$/,
    /^header-words link$/,
    (_, { before }) => before?.includes('next') !== true,
  ],
  // A list that refuses its caller refuses what is below it in the same way.
  [below, REFUSING, /^refusal-changed /, answersCallers],
  [below, REFUSING, /^right-lost /, ofChange(isOfOptions), answersCallers],
  [below, REFUSING, /^right-lost /, ofChange(isOfTheList), isUnsure, answersCallers],
  // A route that refuses a caller is not described to it.
  [onRoute, REFUSING, ANY, isNotOfOptions, ofChange(isOfOptions), answersCallers],
  // A page in place of JSON has headers of its own, which are all that HEAD shows of it.
  [onRoute, /^answer-(?:unreadable (?!the body of)|refused the request$)/, /^header-(?!.* of refusals$)/],
  // What the user is denied, nobody is shown without credentials.
  [onRoute, /^right-lost the caller "user"/, /^right-lost an anonymous caller/, isOfAnybody],
  [ofRecord, /^right-lost the caller "user"$/, /^right-lost an anonymous caller/, isOfAnybody],
  // Who is denied everything is so with a text in place of JSON, where nothing was shown before too.
  [
    inNamespace,
    /^right-lost /,
    /^answer-unreadable the body of "denied"$/,
    isSure,
    isNotOfOptions,
    answersCallers,
  ],
  [onRoute, / the body of "denied"$/, /^right-lost /, ofChange(isOfOptions)],
  // A caller with other rights may use other methods.
  [onRoute, /^right-/, /^header-\S+ allow/, answersCallers],
  // The first page is another if some of its records are hidden.
  [onRoute, /^right-lost /, /^answer-order /, isOfTheList, isUnsure],
  // Pages in another order may begin as the first one did.
  [onRoute, /^answer-order /, /^answer-repeated /, isUnsure],
  // A caller who is denied a route is denied it in any form.
  [
    onRoute,
    /^right-lost /,
    /^right-lost /,
    (cause, { subject }) => subject.startsWith(`${cause.subject} with `),
  ],
  // Answers to writes show what becomes of the markup that these send.
  [
    anywhere,
    / written with markup$/,
    /^answer-value .*\.raw$/,
    isUnsure,
    (cause, { subject }) => cause.subject.startsWith(`${outermost(subject.replace(RETURNED, ''))} `),
  ],
  // If a caller is denied a list, others are asked for other records of it.
  [ofRecord, REFUSING, /^answer-refused records of a list$/, isUnsure],
  // Who may no longer edit the records of a list is not shown those that are not public.
  [
    onRoute,
    /^right-lost .* with context=/,
    /^right-lost .* with status=/,
    (cause, { subject }) => subject.startsWith(cause.subject.replace(/context=.*$/, '')),
  ],
  // The headers about pages are lost together.
  [onRoute, /^header-removed /, /^header-words link$/, isOfTotals],
  [onRoute, /^header-removed /, /^header-removed /, isOfTotals, ofChange(isOfPages)],
  // Pages of another size, or with a record twice, do not match their totals.
  [onRoute, /^default /, /^answer-totals /, isUnsure],
  [onRoute, /^answer-repeated one page$/, /^answer-totals /, isSure],
  // What is added to every page makes it longer, and is repeated.
  [onRoute, /^answer-repeated pages$/, /^(?:default|answer-(?:totals|order|filter)) /, isSure],
  [onRoute, /^answer-fewer /, /^answer-totals /],
  // If totals are wrong, the size of pages only seems to be another.
  [onRoute, /^answer-totals /, /^default /, isSure],
  // Totals that are wrong for everybody say nothing about rights.
  [onRoute, /^answer-totals /, /^right-lost /, ofChange(isOfTheList)],
  // Requests for records that are refused show none.
  [onRoute, /^answer-refused /, /^right-lost /, ofChange(isOfTheList), isUnsure],
  // Links of another form lead elsewhere.
  [
    onRoute,
    /^(?!answer-rendered)\S+ _links/,
    /^answer-rendered /,
    (cause, { subject }) => cause.subject.startsWith(subject.replace('*', '')),
  ],
  // Texts that show now were not rendered differently.
  [onRoute, /^right-exposed /, /^answer-rendered /, ({ after }) => after === 'an answer'],
  // A short answer that breaks off is empty.
  [onRoute, /^answer-unreadable the body$/, /^answer-form /, (_, { after }) => after === 'nothing'],
  // HEAD only shows the content type of a page, and answers of another type are refusals too.
  [onRoute, /^(answer-unreadable .*|header-words content-type)$/, / the content type of refusals$/],
  // A type that answers have now, refusals have where nothing was answered; so they have if HEAD is refused.
  [
    anywhere,
    /^header-words content-type$/,
    / the content type of refusals$/,
    isSure,
    ({ after: now = '' }, { before, after = '' }) =>
      now.startsWith('without ')
        ? `${after};${now.replace('without ', '')}` === before
        : after.startsWith(now.split(',')[0] ?? after),
  ],
  [inNamespace, /^answer-refused /, / the content type of refusals$/, haveSameMethods, ofChange(isOfHead)],
  // What is in place of a list is in place of the description of its route, and of its refusals, whose codes it lacks.
  [onRoute, /^answer-form the answer$/, ANY, isOfList, isInPlaceOfJson],
  [inNamespace, /^answer-form the answer$/, /^answer-form /, isOfList, isAfterEqual, ofChange(isNothing)],
  // Another form has other headers, but for the methods, and lacks the chosen members and those of an envelope.
  [
    onRoute,
    /^answer-form /,
    /^(header-removed (?!allow$|.* of refusals$)|answer-(chosen|status|totals|member-removed) )/,
    answersCallers,
  ],
  // Who gets other answers gets other refusals.
  [onRoute, /^(right-|answer-(refused|unreadable) )/, /^(refusal-|answer-unreadable )/, answersCalls],
  [onRoute, /^answer-form /, /^(refusal-member-|answer-unreadable )/, answersCalls],
];

/** Rules for changes of answers that the index now declares. */
const DECLARED: readonly Rule[] = [
  // An operation that accepts less refuses calls.
  [onDeclared, ANY, /^answer-refused /, acceptsLess, ofChange(({ after = '' }) => /\b400\b/.test(after))],
  [onDeclared, /^required-parameter-added /, /^refusal-changed /, acceptsLess],
  [onDeclared, /^default /, /^default /, ({ about }, { calls }) => about?.parameter === calls?.parameter],
  [onDeclared, /^method-removed /, /^header-words allow$/],
  // Records lack what nobody may write any more.
  [whereWritten, /^parameter-removed /, REMOVED],
  [whereWritten, /^constraint /, REMOVED, isRemovedMember],
  [whereWritten, /^constraint /, /^answer-type /, ({ subject }) => isOfType(subject)],
];
