// A run that a studio exported as JSON lines, read back.
import { arrayOr, isObject, toTextOrNull, type JsonObject } from '#core/contract/readJson.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { evaluationRowSchema } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { EvaluationSettings } from '#features/evaluation/shared/contract/evaluations.ts';
import { STUDIO_FORM, STUDIO_VERSION } from '#features/evaluation/shared/exports/studioLines.ts';
import {
  EMPTY_IMPORT,
  ImportRefusal,
  openBudget,
  openProblems,
  toCountOrNull,
  toMsOrNull,
  toRepeat,
  type ImportedAnswer,
  type ImportedEvaluation,
  type ImportedRow,
} from './importedEvaluation.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const ROW_FIELDS = ['messages', 'variables', 'expected', 'tools', 'tags'] as const;

/** A row with all that the studio gives a row; null: it is none. */
function toRow(value: JsonObject): ImportedRow | null {
  const own = ROW_FIELDS.filter((name) => Object.hasOwn(value, name));
  const { data: row } = evaluationRowSchema.safeParse(Object.fromEntries(own.map((name) => [name, value[name]])));
  if (!row || (row.messages === undefined && row.variables === undefined)) return null;
  return Object.assign({ expected: null, tags: {} }, row);
}

export const isStudioHead = (value: unknown): value is JsonObject => isObject(value) && value['form'] === STUDIO_FORM;

/** Those that answered, in the order of the run. */
function toModels(run: JsonObject, answers: readonly ImportedAnswer[]): readonly string[] {
  const answered = new Set(answers.map(({ model }) => model));
  const listed = arrayOr(run['models']).map((each) => objectOf(each)['model']);
  return [
    ...new Set([...listed.filter((model) => typeof model === 'string' && answered.has(model)), ...answered]),
  ] as string[];
}

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
    const row = toRow(value);
    if (row === null) {
      problems.report('It is no row, and was left out.', `Line ${rows.length + 2}`);
      continue;
    }
    budget.keep(JSON.stringify(row));
    rows.push(row);
    for (const given of arrayOr(value['answers'])) {
      const answer = objectOf(given);
      answers.push({
        row: rows.length - 1,
        model: toTextOrNull(answer['model']) ?? 'unknown',
        repeat: toRepeat(answer['repeat']),
        text: budget.keep(toTextOrNull(answer['text']) ?? ''),
        reasoning: budget.keep(toTextOrNull(answer['reasoning']) ?? ''),
        finishReason: toTextOrNull(answer['finish_reason']),
        error: toTextOrNull(answer['error']),
        calls: arrayOr(answer['tool_calls']).flatMap((call) => {
          const { name, arguments: written } = objectOf(call);
          return typeof name === 'string' && typeof written === 'string' ? [{ name, arguments: written }] : [];
        }),
        ms: toMsOrNull(answer['ms']),
        promptTokens: toCountOrNull(answer['prompt_tokens']),
        completionTokens: toCountOrNull(answer['completion_tokens']),
        verdicts: [],
      });
    }
    budget.count(rows.length, answers.length);
  }
  if (rows.length === 0) throw new ImportRefusal(`The file has no row. ${problems.list().join(' ')}`.trim());
  const [evaluation, run] = [objectOf(head['evaluation']), objectOf(head['run'])];
  const checks = arrayOr(evaluation['checks']);
  if (!checks.every(isObject)) problems.report('A check is no object, and was left out.');
  return {
    ...EMPTY_IMPORT,
    tool: 'model-studio',
    name: toTextOrNull(evaluation['name']) ?? 'Evaluation',
    madeAt: toTextOrNull(run['created_at']),
    prompt: toTextOrNull(evaluation['prompt']),
    system: toTextOrNull(evaluation['system']),
    settings: objectOf(evaluation['settings']) as EvaluationSettings,
    checks: checks.filter(isObject) as readonly JsonObject[] as readonly EvaluationCheck[],
    repeats: Math.max(1, ...new Set(answers.map(({ repeat }) => repeat))),
    rows,
    models: toModels(run, answers),
    baseline: toTextOrNull(run['baseline']),
    answers,
    problems: problems.list(),
  };
}
