// Results of EleutherAI's lm-evaluation-harness: results_*.json with the scores of all tasks, and samples_*.jsonl with the
// answers to one task.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { arrayOr, isObject, toNumberOrNull, toTextOrNull, type JsonObject } from '#core/contract/readJson.ts';
import { readChatMessages } from './chatMessages.ts';
import {
  EMPTY_IMPORT,
  ImportRefusal,
  openBudget,
  openProblems,
  toScoreVerdict,
  type ImportedAnswer,
  type ImportedEvaluation,
  type ImportedRow,
  type ImportedScore,
} from './importedEvaluation.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const isLmEvalResults = (value: unknown): value is JsonObject =>
  isObject(value) &&
  isObject(value['results']) &&
  isObject(value['configs']) &&
  isObject(value['n-samples'] ?? value['versions']);

export const isLmEvalSample = (value: unknown): value is JsonObject =>
  isObject(value) && 'doc_id' in value && 'arguments' in value && 'resps' in value;

const toMeasure = (task: string, metric: string, filter: string): string =>
  `${task}/${metric}${filter === 'none' || filter === '' ? '' : ` (${filter})`}`;

function toScores(task: string, values: JsonObject, model: string, higher: JsonObject): readonly ImportedScore[] {
  return Object.entries(values).flatMap(([key, value]): readonly ImportedScore[] => {
    const [metric = '', filter = ''] = key.split(',', 2);
    if (typeof value !== 'number' || !key.includes(',') || metric.endsWith('_stderr')) return [];
    const isHigherBetter = higher[metric];
    return [
      {
        model,
        measure: toMeasure(task, metric, filter),
        value,
        error: toNumberOrNull(values[`${metric}_stderr,${filter}`]),
        isHigherBetter: typeof isHigherBetter === 'boolean' ? isHigherBetter : null,
      },
    ];
  });
}

/** The model as people know it: its name, else where it was read from. */
function toModel(value: JsonObject): string {
  const config = objectOf(value['config']);
  const args = config['model_args'];
  const given = isObject(args)
    ? (args['pretrained'] ?? args['model'] ?? args['peft'])
    : /(?:^|,)(?:pretrained|model)=([^,]+)/.exec(toTextOrNull(args) ?? '')?.[1];
  return toTextOrNull(given) ?? toTextOrNull(value['model_name']) ?? toTextOrNull(config['model']) ?? 'unknown';
}

/** `value`: the parsed results_*.json. Throws ImportRefusal if it has no score. */
export function readLmEvalResults(value: JsonObject): ImportedEvaluation {
  const model = toModel(value);
  const tasks = Object.entries({ ...objectOf(value['groups']), ...objectOf(value['results']) });
  const scores = tasks.flatMap(([task, values]) =>
    toScores(task, objectOf(values), model, objectOf(objectOf(value['higher_is_better'])[task])),
  );
  if (scores.length === 0) throw new ImportRefusal('The results of lm-eval have no score.');
  const date = toNumberOrNull(value['date']);
  return {
    ...EMPTY_IMPORT,
    tool: 'lm-eval',
    toolVersion: toTextOrNull(value['lm_eval_version']),
    name: tasks
      .map(([task]) => task)
      .join(', ')
      .slice(0, 200),
    madeAt: date === null ? null : new Date(date * 1000).toISOString(),
    models: [model],
    scores,
    problems: [],
  };
}

interface Arguments {
  readonly context: readonly ChatMessage[];
  /** Of a choice whose likelihood was measured. */
  readonly choice: string | null;
}

function readArguments(given: unknown): readonly Arguments[] {
  return Object.values(objectOf(given)).flatMap((each): readonly Arguments[] => {
    const { arg_0: first, arg_1: second } = objectOf(each);
    const context = Array.isArray(first) && typeof first[0] === 'string' ? first[0] : first;
    const messages =
      readChatMessages(context) ?? (typeof context === 'string' ? [{ role: 'user' as const, content: context }] : null);
    return messages === null ? [] : [{ context: messages, choice: toTextOrNull(second) }];
  });
}

/** The place of the choice that the model thinks likeliest: the first number of each of its responses. */
function findLikeliest(responses: readonly unknown[]): number {
  const values = responses.map((each) => Number(arrayOr(arrayOr(each)[0])[0]));
  return values.some(Number.isNaN) ? -1 : values.indexOf(Math.max(...values));
}

interface Sample {
  readonly row: ImportedRow;
  /** By repeat. */
  readonly texts: readonly string[];
}

function readSample(value: JsonObject): Sample | null {
  const requests = readArguments(value['arguments']);
  const responses = arrayOr(value['resps']);
  const [first] = requests;
  const target = value['target'];
  const expected =
    target === undefined || target === null || Array.isArray(target)
      ? (arrayOr(target).map(String)[0] ?? null)
      : String(target);
  if (first === undefined) return null;
  if (first.choice === null) {
    const texts = arrayOr(responses[0]);
    if (!texts.every((text) => typeof text === 'string')) return null;
    return { row: { messages: first.context, expected, tags: {} }, texts };
  }
  const chosen = findLikeliest(responses);
  const right = expected === null ? undefined : requests[Number(expected)]?.choice;
  if (chosen < 0 || requests.length < 2) return null;
  return {
    row: { messages: first.context, expected: right?.trim() ?? expected, tags: {} },
    texts: [requests[chosen]?.choice?.trim() ?? ''],
  };
}

/** `lines`: the parsed lines of a samples_*.jsonl. `task`: of its name. Throws ImportRefusal if none can be read. */
export function readLmEvalSamples(lines: Iterable<unknown>, task: string): ImportedEvaluation {
  const problems = openProblems();
  const budget = openBudget(problems);
  const places = new Map<string, number>();
  const rows: ImportedRow[] = [];
  const answers: ImportedAnswer[] = [];
  const verdicts: ImportedAnswer['verdicts'][number][][] = [];
  let line = 0;
  for (const value of lines) {
    line += 1;
    const read = isLmEvalSample(value) ? readSample(value) : null;
    if (!isLmEvalSample(value) || read === null) {
      problems.report(
        isObject(value)
          ? 'It has no answer as text, only likelihoods. It was left out.'
          : 'It is no sample of lm-eval.',
        `Line ${line}`,
      );
      continue;
    }
    const id = String(value['doc_id']);
    let place = places.get(id);
    if (place === undefined) {
      place = rows.length;
      places.set(id, place);
      for (const message of read.row.messages ?? []) budget.keep(message.content ?? '');
      rows.push(read.row);
      verdicts.push([]);
      const common = {
        row: place,
        model: 'unknown',
        error: null,
        ms: null,
        promptTokens: null,
        completionTokens: null,
      };
      const own = verdicts[place] ?? [];
      // The filters of lm-eval make one answer of all repeats: its metrics are kept with the first.
      for (const [at, text] of read.texts.entries())
        answers.push({ ...common, repeat: at + 1, text: budget.keep(text), verdicts: at === 0 ? own : [] });
      budget.count(rows.length, answers.length);
    }
    const filter = toTextOrNull(value['filter']) ?? 'none';
    for (const metric of arrayOr(value['metrics'])) {
      const score = typeof metric === 'string' ? value[metric] : undefined;
      const name = filter === 'none' ? String(metric) : `${String(metric)} (${filter})`;
      if (typeof score === 'number' || typeof score === 'boolean')
        verdicts[place]?.push(toScoreVerdict(name, Number(score)));
    }
  }
  const metrics = new Set(verdicts.flatMap((own) => own.map(({ scorer }) => scorer)));
  for (const metric of metrics)
    problems.report(`“${metric}” has no check here: give the evaluation one that judges as it does.`);
  if (rows.length === 0) throw new ImportRefusal(`No sample can be read. ${problems.list().join(' ')}`.trim());
  return {
    ...EMPTY_IMPORT,
    tool: 'lm-eval',
    name: task,
    repeats: Math.max(1, ...new Set(answers.map(({ repeat }) => repeat))),
    rows,
    models: ['unknown'],
    answers,
    problems: problems.list(),
  };
}
