import { member } from '../../../client/json.ts';
import type { Finding } from '../../../engine/check.ts';
import { failure, inconclusive, show } from '../../../engine/findings.ts';
import type { Parameter } from '../../../specs/model.ts';
import { jsonType, type Schema } from '../../../specs/schema.ts';
import { firstViolation, shownShape, typeWords } from '../../../specs/shapes.ts';
import type { SiteRecord } from './record.ts';
import { countOf } from './trials.ts';

/** Fields that name another record and may be null. */
const NULLABLE: ReadonlySet<string> = new Set(['post']);

/** Evaluates whether the records of an answer show a field with its stated type (R11); inconclusive if none shows it. */
export function evaluateFieldType(
  { name, wire, schema }: Parameter,
  { records, curl }: { readonly records: readonly SiteRecord[]; readonly curl: string },
): Finding[] {
  const shownValue = ({ json }: SiteRecord): unknown => {
    const value = member(json, wire);
    return value === null && NULLABLE.has(name) ? undefined : value;
  };
  if (records.every((record) => shownValue(record) === undefined)) {
    return [inconclusive(`no visible record shows ${wire}`)];
  }
  const shape = schema.format === 'date-time' ? DATE_TIMES : shownShape(schema, false);
  const violations = records.flatMap((record) => {
    const value = shownValue(record);
    const violation = value === undefined ? undefined : firstViolation(shape, value);
    return violation === undefined ? [] : [{ record, violation }];
  });
  const [first] = violations;
  if (first === undefined) return [];
  const { place, stated, observed } = first.violation;
  const wrong = violations.map(({ record }) => record);
  const where = `${wire}${place.replaceAll(/\/\d+/g, '[]').replaceAll('/', '.')}`;
  const shown = observed === null ? 'null' : `${jsonType(observed)} ${show(observed)}`;
  return [
    failure(`${where} is not of the stated type`, {
      expected: typeWords(stated),
      observed: `${shown} in ${countOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    }),
  ];
}

/** A date and time in ISO 8601, with or without fractions and offset; or null. */
const DATE_TIMES: Schema = {
  type: ['string', 'null'],
  pattern:
    '^[-+]?\\d{4,6}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[-+]\\d\\d(?::?\\d\\d)?)?$',
};
