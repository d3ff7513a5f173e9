// promptfoo's results: `promptfoo eval -o results.json` and `promptfoo export eval`, from version 3 of the form on.
import { arrayOr, isObject, numberOr, toTextOrNull, type JsonObject } from '#core/contract/readJson.ts';
import { readChatMessages } from './chatMessages.ts';
import {
  EMPTY_IMPORT,
  ImportRefusal,
  openBudget,
  openProblems,
  toCountOrNull,
  toMsOrNull,
  toScoreVerdict,
  type ImportedAnswer,
  type ImportedEvaluation,
  type ImportedRow,
  type ImportedVerdict,
} from './importedEvaluation.ts';
import { readAsserts, readsVariables, type AssertedTest } from './promptfooAsserts.ts';
import { reportFields, toTags } from './promptfooConfig.ts';

const FORM = 3;
/** `failureReason` of a request that failed; 1 is a failed assert. */
const ERROR = 2;

export const isPromptfooResults = (value: unknown): value is JsonObject =>
  isObject(value) && isObject(value['results']) && Array.isArray(value['results']['results']);

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const toText = (output: unknown): string =>
  typeof output === 'string' ? output : output === undefined || output === null ? '' : JSON.stringify(output);

function toVerdict(component: unknown, keep: (text: string) => string): readonly ImportedVerdict[] {
  if (!isObject(component)) return [];
  const assertion = objectOf(component['assertion']);
  const scorer = toTextOrNull(assertion['metric']) ?? toTextOrNull(assertion['type']) ?? 'assert';
  const reason = component['pass'] === true ? null : (toTextOrNull(component['reason']) ?? null);
  const { score } = toScoreVerdict(scorer, numberOr(component['score'], Number.NaN));
  return [{ scorer, outcome: component['pass'] === true ? 'pass' : 'fail', score, reason: reason && keep(reason) }];
}

/** A line of results as JSON Lines (`-o results.jsonl`). */
export const isPromptfooResult = (value: unknown): value is JsonObject =>
  isObject(value) && 'promptIdx' in value && 'testIdx' in value && isObject(value['testCase']);

/** Lines of results as a whole file. */
export const toPromptfooResults = (lines: Iterable<unknown>): JsonObject => ({
  results: { version: FORM, results: [...lines] },
});

/** `value`: the parsed file. Throws ImportRefusal for results of an older form and for results without rows. */
export function readPromptfooResults(value: JsonObject): ImportedEvaluation {
  const problems = openProblems();
  const budget = openBudget(problems);
  const outer = objectOf(value['results']);
  const version = numberOr(outer['version'], 0);
  if (version < FORM)
    throw new ImportRefusal(
      `These results of promptfoo are of form ${version || 'unknown'}; ${FORM} and newer are read. Export them again with ` +
        'promptfoo of today: promptfoo export eval ID -o results.json',
    );
  const places = new Map<string, number>();
  const rows: ImportedRow[] = [];
  const tests: AssertedTest[] = [];
  const answers: ImportedAnswer[] = [];
  const repeats = new Map<string, number>();
  const outputs = { texts: 0, others: 0 };
  const labels = new Set(arrayOr(outer['prompts']).map((prompt) => objectOf(prompt)['label']));
  for (const [at, result] of arrayOr(outer['results']).entries()) {
    const prompt = objectOf(objectOf(result)['prompt']);
    const raw = toTextOrNull(prompt['raw']);
    if (!isObject(result) || raw === null) {
      problems.report('It has no prompt, and was left out.', `Result ${at + 1}`);
      continue;
    }
    const test = objectOf(result['testCase']);
    const key = JSON.stringify([raw, prompt['label'], test['vars'], test['assert']]);
    const row = places.get(key) ?? rows.length;
    if (row === rows.length) {
      places.set(key, row);
      const tags = { ...toTags(test['metadata']), ...(labels.size > 1 ? toTags({ prompt: prompt['label'] }) : {}) };
      rows.push({
        messages: readChatMessages(raw) ?? [{ role: 'user', content: budget.keep(raw) }],
        expected: null,
        tags,
      });
      const variables = new Map(Object.entries(objectOf(result['vars'])).map(([name, each]) => [name, toText(each)]));
      const place = `Test ${numberOr(result['testIdx'], at) + 1}`;
      // Its own model, and what the metadata of the run say.
      reportFields({ ...test, provider: null, providers: null }, place, problems);
      tests.push({ place, asserts: arrayOr(test['assert']), variables });
    }
    const provider = objectOf(result['provider']);
    const model = toTextOrNull(provider['label']) ?? toTextOrNull(provider['id']) ?? 'unknown';
    const repeat = (repeats.get(`${row} ${model}`) ?? 0) + 1;
    repeats.set(`${row} ${model}`, repeat);
    const response = objectOf(result['response']);
    const usage = objectOf(response['tokenUsage']);
    const output = response['output'] ?? null;
    if (output !== null) outputs[typeof output === 'string' ? 'texts' : 'others'] += 1;
    answers.push({
      row,
      model,
      repeat,
      text: budget.keep(toText(output)),
      error: result['failureReason'] === ERROR ? budget.keep(toText(result['error']) || 'The request failed.') : null,
      ms: toMsOrNull(result['latencyMs']),
      promptTokens: toCountOrNull(usage['prompt']),
      completionTokens: toCountOrNull(usage['completion']),
      verdicts: arrayOr(objectOf(result['gradingResult'])['componentResults']).flatMap((each) =>
        toVerdict(each, budget.keep),
      ),
    });
    budget.count(rows.length, answers.length);
  }
  if (rows.length === 0) throw new ImportRefusal(`The results have no row. ${problems.list().join(' ')}`.trim());
  const { checks, expected } = readAsserts(
    tests.map((test) => ({ ...test, isOutputJson: outputs.others > 0 && outputs.texts === 0 })),
    problems,
  );
  if (outputs.others > 0 && outputs.texts > 0 && checks.some(({ kind }) => kind === 'function'))
    problems.report('Outputs are texts and objects: own functions get all as texts, objects as JSON.');
  const hasVariables = checks.some(readsVariables);
  return {
    ...EMPTY_IMPORT,
    tool: 'promptfoo',
    toolVersion: toTextOrNull(objectOf(value['metadata'])['promptfooVersion']),
    name: toTextOrNull(objectOf(value['config'])['description']) ?? toTextOrNull(value['evalId']) ?? 'promptfoo',
    madeAt: toTextOrNull(outer['timestamp']),
    repeats: Math.max(...repeats.values()),
    rows: rows.map(({ messages = [], tags }, at) => {
      const values = hasVariables ? Object.fromEntries(tests[at]?.variables ?? []) : null;
      for (const text of Object.values(values ?? {})) budget.keep(text);
      return Object.assign({ messages, tags, expected: expected[at] ?? null }, values && { variables: values });
    }),
    checks,
    models: [...new Set(answers.map(({ model }) => model))],
    answers,
    problems: problems.list(),
  };
}
