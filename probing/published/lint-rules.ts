import type rules from '../../specs/texts/lint-rules.json';

/** The id of a rule of the linter, which is stable. */
export type LintRuleId = keyof typeof rules;

/** A contradiction within an index. The keyword is left out of the contract. */
export interface LintFinding {
  readonly rule: LintRuleId;
  /** Where it stands: the key of the route, the method, the parameter, the place inside it. */
  readonly place: string;
  readonly message: string;
}

/** Receives the findings of a reader of the index. */
export type Report = (rule: LintRuleId, place: string, message: string) => void;
