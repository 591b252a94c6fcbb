/** What a run is judged by. */
export const JUDGEMENTS = [
  'exit code',
  'ending',
  'reports',
  'time',
  'memory',
  'secrets',
  'texts',
  'methods',
  'origin',
  'foreign records',
  'left records',
  'processes',
] as const;

export type Judgement = (typeof JUDGEMENTS)[number];

/** Something that is not as it must be. */
export interface Miss {
  readonly judgement: Judgement;
  readonly why: string;
}
