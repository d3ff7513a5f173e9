// Apart from the schemas, which a page does not need.

/** ASSUMED: ours. */
export const EVALUATION_LIMITS = {
  name: 200,
  /** Evaluations of a project, versions of an evaluation, and its runs. */
  perProject: 500,
  versions: 1_000,
  runs: 1_000,
  rows: 10_000,
  /** Of a request with rows; characters of all rows of a version as JSON. */
  bodyBytes: 32 * 1024 * 1024,
  rowsCharacters: 64 * 1024 * 1024,
  variables: 200,
  variableName: 200,
  tags: 20,
  tagName: 50,
  tagText: 100,
  /** Values of a tag that scores are given by, the most frequent ones. */
  tagValues: 50,
  /** Characters of the prompt and of the system message. */
  template: 200_000,
  checks: 30,
  checkId: 40,
  checkText: 200_000,
  /** Characters of what a judge goes by. */
  rubric: 20_000,
  /** Answers that people have judged before a judge's agreement with them is given. */
  agreement: 30,
  /** Fields of JSON answers that are tallied, and further ones that are counted. */
  fields: 100,
  fieldsLeftOut: 1_000,
  models: 20,
  repeats: 10,
  /** Answers of a run: rows, times models, times repeats. */
  answers: 400_000,
  /** Characters of an answer that are kept; a longer one counts as failed. */
  answerCharacters: 200_000,
  reasonCharacters: 1_000,
  /** Bytes of the rows, compressed, and of the answers of all evaluations of a studio. */
  storedBytes: 20 * 1024 ** 3,
  /** Runs that wait or go on in a studio. */
  active: 200,
  /** Rows of a page. */
  page: 200,
  pageDefault: 50,
  search: 500,
  /** Items of a person's queue that are given at once. */
  judgementPage: 100,
  judgementPageDefault: 20,
  /** Characters of a comment on an answer, and the newest ones that are shown. */
  comment: 2_000,
  comments: 100,
} as const;

/** The scorer whose verdicts are what people say; no check has this id. */
export const PEOPLE = 'people';
