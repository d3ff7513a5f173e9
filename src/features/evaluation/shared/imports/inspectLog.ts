// Logs of Inspect (inspect_ai): one JSON file, or an `.eval` archive with a file for each sample.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import {
  arrayOr,
  isObject,
  numberOr,
  ownField,
  toNumberOrNull,
  toTextOrNull,
  type JsonObject,
} from '#core/contract/readJson.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { readChatMessage, toMessageText } from './chatMessages.ts';
import {
  EMPTY_IMPORT,
  ImportRefusal,
  openBudget,
  openProblems,
  toCountOrNull,
  toMsOrNull,
  toRepeat,
  toScoreVerdict,
  type ImportedAnswer,
  type ImportedEvaluation,
  type ImportedRow,
  type ImportedScore,
  type ImportedVerdict,
  type Problems,
} from './importedEvaluation.ts';

/** Of the log's form. */
const FORM = 2;

export const isInspectLog = (value: unknown): value is JsonObject =>
  isObject(value) && isObject(value['eval']) && typeof value['eval']['task'] === 'string' && 'version' in value;

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const ATTACHMENT = /^attachment:\/\/([0-9a-f]+)$/;

/** Long texts are kept once in `attachments`, and referred to. */
function attach(value: unknown, attachments: JsonObject): unknown {
  if (typeof value === 'string') {
    const [, key] = ATTACHMENT.exec(value) ?? [];
    return key === undefined ? value : (ownField(attachments, key) ?? value);
  }
  if (Array.isArray(value)) return value.map((each: unknown) => attach(each, attachments));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, attach(each, attachments)]))
    : value;
}

/** Inspect's letters: correct, incorrect, partly correct, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

function toVerdicts(name: string, score: unknown): readonly ImportedVerdict[] {
  const { value, explanation } = objectOf(score);
  const reason = toTextOrNull(explanation);
  if (isObject(value))
    return Object.entries(value).flatMap(([part, each]) => toVerdicts(`${name}/${part}`, { value: each, explanation }));
  if (typeof value === 'boolean') return [toScoreVerdict(name, value ? 1 : 0, reason)];
  if (typeof value === 'number') return [toScoreVerdict(name, value, reason)];
  const share = typeof value === 'string' && Object.hasOwn(LETTERS, value) ? LETTERS[value] : undefined;
  if (share !== undefined) return [toScoreVerdict(name, share, reason)];
  return value === undefined || value === null
    ? []
    : [{ scorer: name, outcome: 'not_checked', score: null, reason: `The score is ${JSON.stringify(value)}.` }];
}

/** Several system messages at the beginning as one: templates of models have room for one. */
function joinSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const count = messages.findIndex(({ role }) => role !== 'system');
  if (count < 2) return messages;
  const content = messages
    .slice(0, count)
    .map((message) => message.content)
    .join('\n\n');
  return [{ role: 'system', content }, ...messages.slice(count)];
}

/** What was sent for the first answer. Messages of few-shot examples are not generated. */
function toPrompt(sample: JsonObject): readonly unknown[] {
  const messages = arrayOr(sample['messages']);
  const answer = messages.findIndex((message) => isObject(message) && message['source'] === 'generate');
  const prompt = answer < 0 ? messages : messages.slice(0, answer);
  if (prompt.length > 0) return prompt;
  return typeof sample['input'] === 'string' ? [{ role: 'user', content: sample['input'] }] : arrayOr(sample['input']);
}

const toTags = (sample: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectOf(sample['metadata'])).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) &&
      /\S/.test(String(value)) &&
      String(value).length <= 100 &&
      name.length <= 50
        ? [[name, String(value)]]
        : [],
    ),
  );

/** Scorers that a check here judges as: `includes` looks for the target in the answer. */
function toChecks(about: JsonObject, problems: Problems): readonly EvaluationCheck[] {
  return arrayOr(about['scorers']).flatMap((scorer): readonly EvaluationCheck[] => {
    const { name, options } = objectOf(scorer);
    if (name === 'includes') {
      const isCaseSensitive = objectOf(options)['ignore_case'] === false;
      return [{ id: name, name, counts: true, kind: 'contains', expected: null, is_case_sensitive: isCaseSensitive }];
    }
    problems.report(`“${String(name)}” has no check here: give the evaluation one that judges as it does.`);
    return [];
  });
}

interface Taken {
  readonly rows: readonly ImportedRow[];
  readonly answers: readonly ImportedAnswer[];
}

/** In the order of the dataset: archives have the order in which samples ended, JSON that of their ids. */
function toDatasetOrder({ rows, answers }: Taken, ids: readonly string[], about: JsonObject): Taken {
  const wanted = new Map(arrayOr(objectOf(about['dataset'])['sample_ids']).map((id, at) => [String(id), at]));
  const order = ids
    .map((id, row) => ({ row, at: wanted.get(id) ?? wanted.size + row }))
    .toSorted((one, other) => one.at - other.at);
  const places = new Map(order.map(({ row }, place) => [row, place]));
  const placed = answers.map((answer) => Object.assign({}, answer, { row: places.get(answer.row) ?? answer.row }));
  return {
    rows: order.flatMap(({ row }) => rows[row] ?? []),
    answers: placed.toSorted((one, other) => one.row - other.row || one.repeat - other.repeat),
  };
}

/** Takes a log in parts, so that one of many samples is never in memory as a whole. */
export interface InspectReader {
  /** What the log says apart from its samples. */
  takeHeader(header: JsonObject): void;
  takeSample(sample: unknown): void;
  /** Throws ImportRefusal if there is nothing. */
  end(): ImportedEvaluation;
}

export function openInspectReader(): InspectReader {
  const problems = openProblems();
  const budget = openBudget(problems);
  const places = new Map<string, number>();
  const rows: ImportedRow[] = [];
  const answers: ImportedAnswer[] = [];
  let header: JsonObject = {};
  let model = 'unknown';

  const placeOf = (id: string, sample: JsonObject): number | null => {
    const known = places.get(id);
    if (known !== undefined) return known;
    const messages = toPrompt(sample).map(readChatMessage);
    if (messages.length === 0 || messages.some((message) => message === null)) {
      problems.report('Its messages hold more than texts, such as pictures. It was left out.', `Sample ${id}`);
      return null;
    }
    const targets = arrayOr(typeof sample['target'] === 'string' ? [sample['target']] : sample['target']).map(String);
    if (targets.length > 1)
      problems.report('It has several targets; the first is the expected answer here.', `Sample ${id}`);
    const row: ImportedRow = {
      messages: joinSystem(messages as readonly ChatMessage[]),
      expected: targets[0] || null,
      tags: toTags(sample),
    };
    for (const message of row.messages ?? []) budget.keep(message.content ?? '');
    places.set(id, rows.length);
    return rows.push(row) - 1;
  };

  return {
    takeHeader(given) {
      header = given;
      if (numberOr(given['version'], 0) < FORM)
        throw new ImportRefusal(
          'This log of Inspect is older than form 2 (2024). Convert it with Inspect of today: inspect log convert',
        );
      model = toTextOrNull(objectOf(given['eval'])['model']) ?? model;
    },
    takeSample(given) {
      if (!isObject(given)) return problems.report('It is no object.', 'A sample');
      const { input, target, messages, output, metadata, attachments, ...others } = given;
      const texts = attach({ input, target, messages, output, metadata }, objectOf(attachments)) as JsonObject;
      const sample: JsonObject = { ...others, ...texts };
      const id = String(sample['id'] ?? rows.length);
      const row = placeOf(id, sample);
      if (row === null) return undefined;
      const result = objectOf(sample['output']);
      const choice = objectOf(arrayOr(result['choices'])[0]);
      const text = toTextOrNull(result['completion']) ?? toMessageText(objectOf(choice['message'])['content']) ?? '';
      const usage = objectOf(result['usage']);
      const seconds = toNumberOrNull(sample['working_time']) ?? toNumberOrNull(sample['total_time']);
      const error = objectOf(sample['error'])['message'];
      answers.push({
        row,
        model,
        repeat: toRepeat(sample['epoch']),
        text: budget.keep(text),
        error: typeof error === 'string' ? budget.keep(error) : null,
        ms: seconds === null ? null : toMsOrNull(Math.round(seconds * 1000)),
        promptTokens: toCountOrNull(usage['input_tokens']),
        completionTokens: toCountOrNull(usage['output_tokens']),
        verdicts: Object.entries(objectOf(sample['scores'])).flatMap(([name, score]) => toVerdicts(name, score)),
      });
      budget.count(rows.length, answers.length);
      return undefined;
    },
    end() {
      const about = objectOf(header['eval']);
      const scores = toScores(header, model);
      const checks = toChecks(about, problems);
      const status = toTextOrNull(header['status']) ?? 'started';
      if (status !== 'success') {
        const why = toTextOrNull(objectOf(header['error'])['message']);
        problems.report(
          `The evaluation did not end well: its status is “${status}”${why === null ? '' : ` (${why.slice(0, 200)})`}.`,
        );
      }
      if (rows.length === 0 && scores.length === 0)
        throw new ImportRefusal(`The log has neither samples nor scores. ${problems.list().join(' ')}`.trim());
      return {
        ...EMPTY_IMPORT,
        tool: 'inspect',
        toolVersion: toTextOrNull(objectOf(about['packages'])['inspect_ai']),
        name: toTextOrNull(about['task']) ?? 'Inspect',
        madeAt: toTextOrNull(about['created']),
        repeats: Math.max(1, ...new Set(answers.map(({ repeat }) => repeat))),
        ...toDatasetOrder({ rows, answers }, [...places.keys()], about),
        checks,
        models: [model],
        scores,
        problems: problems.list(),
      };
    },
  };
}

function toScores(header: JsonObject, model: string): readonly ImportedScore[] {
  return arrayOr(objectOf(header['results'])['scores']).flatMap((score) => {
    const { name, metrics, reducer } = objectOf(score);
    const values = Object.entries(objectOf(metrics)).map(
      ([metric, each]) => [metric, toNumberOrNull(objectOf(each)['value'])] as const,
    );
    const error = values.find(([metric]) => metric === 'stderr')?.[1] ?? null;
    const by = typeof reducer === 'string' ? ` (${reducer})` : '';
    return values.flatMap(([metric, value]): readonly ImportedScore[] =>
      value === null || metric === 'stderr'
        ? []
        : [
            {
              model,
              measure: `${String(name)}/${metric}${by}`,
              value,
              error: metric === 'accuracy' || metric === 'mean' ? error : null,
              isHigherBetter: null,
            },
          ],
    );
  });
}

/** `value`: a parsed JSON log. Throws ImportRefusal. */
export function readInspectLog(value: JsonObject): ImportedEvaluation {
  const { samples, ...header } = value;
  const reader = openInspectReader();
  reader.takeHeader(header);
  for (const sample of arrayOr(samples)) reader.takeSample(sample);
  return reader.end();
}
