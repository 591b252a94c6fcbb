/**
 * The rules of the linter by their ids, which are stable: contradictions in an index, and what no contract can express.
 * `why` says why callers or a contract cannot rely on it, `advice` what the owner of the plugin does about it.
 * `docs/published-lint.md` shows the same table.
 */
export const LINT_RULES = {
  'default-outside-enum': {
    why: 'Leaving the parameter out is not the same as any value that a caller may send.',
    advice: 'Add the default to the enum, or declare another default.',
  },
  'default-outside-limits': {
    why: 'The default is a value that the limits forbid to send.',
    advice: 'Move the limit or the default.',
  },
  'default-type': {
    why: 'The default is of a type that the parameter does not take.',
    advice: 'Write the default in the declared type.',
  },
  'required-with-default': {
    why: 'What has a default is never missing, so that the request without it is not refused.',
    advice: 'Declare one of the two.',
  },
  'required-unknown': {
    why: 'An object requires a member that it does not describe.',
    advice: 'Describe the member, or do not require it.',
  },
  'limits-crossed': {
    why: 'The lower limit is above the upper one: no value fits.',
    advice: 'Exchange the limits.',
  },
  'enum-type': {
    why: 'A member of the enum is of a type that the parameter does not take, so that it can never be sent.',
    advice: 'Write the members in the declared type; the enum of a list belongs to its items.',
  },
  'enum-empty': { why: 'No value is allowed at all.', advice: 'Leave the enum out, or name its members.' },
  'enum-repeated': { why: 'The enum has a member twice.', advice: 'Name each member once.' },
  'type-unknown': {
    why: 'Validators do not know the type, and what they do with it differs.',
    advice: 'Use string, integer, number, boolean, array, object or null.',
  },
  'keyword-shape': {
    why: 'The value of a keyword is not of the kind that the keyword has, so that nothing follows from it.',
    advice: 'Write the keyword as JSON Schema has it.',
  },
  'keyword-beside-type': {
    why: 'The keyword says nothing about values of the declared type.',
    advice: 'Change the type, or leave the keyword out.',
  },
  'pattern-invalid': {
    why: 'The pattern is no regular expression: it refuses everything or nothing.',
    advice: 'Correct the pattern.',
  },
  'pattern-not-comparable': {
    why: 'The pattern looks around or back, which takes more than linear time: it is compared by its text alone.',
    advice: 'Nothing has to be done; a plainer pattern can be compared by what it accepts.',
  },
  'too-deep': {
    why: 'The description is nested deeper than anybody reads.',
    advice: 'Describe the outer levels.',
  },
  'route-not-a-template': {
    why: 'The route holds an expression outside a named path parameter, so that its addresses are unknown.',
    advice: 'Register each address, or name the part: (?P<name>…).',
  },
  'route-duplicate': {
    why: 'Two routes differ in names or patterns of their path parameters only: which of them answers depends on the order.',
    advice: 'Register the route once, with all its methods.',
  },
  'method-duplicate': {
    why: 'Two endpoints of a route serve one method: the first answers, and the other never does.',
    advice: 'Register the method once.',
  },
  'method-unknown': {
    why: 'The method is none that the interface has.',
    advice: 'Use GET, POST, PUT, PATCH or DELETE.',
  },
  'namespace-unlisted': {
    why: 'The route belongs to no namespace that the index lists, so that nobody finds it there.',
    advice: 'Register the namespace of the route.',
  },
  'name-unusable': {
    why: 'The name of a parameter holds characters that no check can be named after.',
    advice: 'Use letters, digits, hyphens, underscores and dots.',
  },
} as const;

/** The id of a rule of the linter. */
export type LintRuleId = keyof typeof LINT_RULES;

/** A contradiction within an index. The keyword is left out of the contract. */
export interface LintFinding {
  readonly rule: LintRuleId;
  /** Where it stands: the key of the route, the method, the parameter, the place inside it. */
  readonly place: string;
  readonly message: string;
}

/** Receives the findings of a reader of the index. */
export type Report = (rule: LintRuleId, place: string, message: string) => void;
