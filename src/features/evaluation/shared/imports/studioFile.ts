// A run that a studio exported as JSON lines, read back.
import { arrayOr, isObject, toNumberOrNull, toTextOrNull, type JsonObject } from '#core/contract/readJson.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { EvaluationSettings } from '#features/evaluation/shared/contract/evaluations.ts';
import { STUDIO_FORM, STUDIO_VERSION } from '#features/evaluation/shared/exports/studioLines.ts';
import { readChatMessage } from './chatMessages.ts';
import {
  EMPTY_IMPORT,
  ImportRefusal,
  openBudget,
  openProblems,
  type ImportedAnswer,
  type ImportedEvaluation,
  type ImportedRow,
} from './importedEvaluation.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const toTexts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );

export const isStudioHead = (value: unknown): value is JsonObject => isObject(value) && value['form'] === STUDIO_FORM;

/** `lines`: the parsed lines, the first of which is the head. Checks and settings are judged where they are stored. */
export function readStudioLines(lines: Iterable<unknown>): ImportedEvaluation {
  const problems = openProblems();
  const budget = openBudget(problems);
  let head: JsonObject = {};
  const rows: ImportedRow[] = [];
  const answers: ImportedAnswer[] = [];
  for (const line of lines) {
    if (isStudioHead(line)) {
      head = line;
      if (line['version'] !== STUDIO_VERSION)
        throw new ImportRefusal(
          `The file is of form ${String(line['version'])}; form ${STUDIO_VERSION} is read. Update the studio.`,
        );
      continue;
    }
    const value = objectOf(line);
    const messages = arrayOr(value['messages']).map(readChatMessage);
    if (messages.some((message) => message === null) || (messages.length === 0 && !isObject(value['variables']))) {
      problems.report('It is no row, and was left out.', `Line ${rows.length + 2}`);
      continue;
    }
    const common = { expected: toTextOrNull(value['expected']), tags: toTexts(value['tags']) };
    budget.keep(JSON.stringify(value['messages'] ?? value['variables']));
    rows.push(
      messages.length > 0
        ? { messages: messages.filter((message) => message !== null), ...common }
        : { variables: toTexts(value['variables']), ...common },
    );
    for (const given of arrayOr(value['answers'])) {
      const answer = objectOf(given);
      answers.push({
        row: rows.length - 1,
        model: toTextOrNull(answer['model']) ?? 'unknown',
        repeat: toNumberOrNull(answer['repeat']) ?? 1,
        text: budget.keep(toTextOrNull(answer['text']) ?? ''),
        error: toTextOrNull(answer['error']),
        calls: arrayOr(answer['tool_calls']).flatMap((call) => {
          const { name, arguments: written } = objectOf(call);
          return typeof name === 'string' && typeof written === 'string' ? [{ name, arguments: written }] : [];
        }),
        ms: toNumberOrNull(answer['ms']),
        promptTokens: toNumberOrNull(answer['prompt_tokens']),
        completionTokens: toNumberOrNull(answer['completion_tokens']),
        verdicts: [],
      });
    }
    budget.count(rows.length, answers.length);
  }
  if (rows.length === 0) throw new ImportRefusal(`The file has no row. ${problems.list().join(' ')}`.trim());
  const [evaluation, run] = [objectOf(head['evaluation']), objectOf(head['run'])];
  return {
    ...EMPTY_IMPORT,
    tool: 'model-studio',
    name: toTextOrNull(evaluation['name']) ?? 'Evaluation',
    madeAt: toTextOrNull(run['created_at']),
    prompt: toTextOrNull(evaluation['prompt']),
    system: toTextOrNull(evaluation['system']),
    settings: objectOf(evaluation['settings']) as EvaluationSettings,
    checks: arrayOr(evaluation['checks']) as readonly EvaluationCheck[],
    repeats: Math.max(1, ...new Set(answers.map(({ repeat }) => repeat))),
    rows,
    models: [...new Set(answers.map(({ model }) => model))],
    answers,
    problems: problems.list(),
  };
}
