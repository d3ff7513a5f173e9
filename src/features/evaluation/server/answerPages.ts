// Pages of the rows of a run with all their answers, and one answer with its request.
import type {
  AnswerPage,
  AnswersQuery,
  EvaluationAnswer,
  Outcome,
  Verdict,
  WholeAnswer,
} from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { EVALUATION_LIMITS, PEOPLE } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { Orm } from '#service/database/database.ts';
import { sql } from 'drizzle-orm';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { toAnswerRequest, toRequestHash } from './answerRequest.ts';
import { readAnswersAt, readCalls, type AnswerRecord } from './answers.ts';
import { answers } from './evaluationTables.ts';
import { readRowsAt, readRows, readTagColumns } from './rowSets.ts';
import { countingOf, readWholeRun, type WholeRun } from './runRecords.ts';
import { toRowChanges } from '#features/evaluation/shared/statistics/rowChanges.ts';
import { toPassedRows } from './scores.ts';
import { LETTERS } from './verdictBlocks.ts';
import { readVerdictsAt, toAnswerKey } from './verdicts.ts';
import { readVerdictTable, type VerdictTable } from './verdictTable.ts';

/** Fail before not checked before pass; null while one that counts has not judged. */
function toOverall(verdicts: readonly Verdict[], checks: readonly EvaluationCheck[]): Outcome | null {
  const counting = countingOf(checks);
  const own = counting.map((id) => verdicts.find(({ scorer }) => scorer === id)?.outcome ?? null);
  if (own.includes('fail')) return 'fail';
  if (own.length === 0 || own.includes(null)) return null;
  return own.includes('not_checked') ? 'not_checked' : 'pass';
}

function toAnswer(
  { models, checks }: WholeRun,
  record: AnswerRecord,
  verdictsOf: ReadonlyMap<string, Verdict[]>,
): EvaluationAnswer {
  const given = verdictsOf.get(toAnswerKey(record.model, record.position, record.repeat)) ?? [];
  const order = new Map([...checks.map(({ id }) => id), PEOPLE].map((id, at) => [id, at]));
  const verdicts = given
    .filter(({ scorer }) => order.has(scorer))
    .sort((one, other) => (order.get(one.scorer) ?? 0) - (order.get(other.scorer) ?? 0));
  return {
    model: models.find(({ place }) => place === record.model)?.model ?? '',
    repeat: record.repeat,
    state: record.error === null ? 'done' : 'failed',
    text: record.text,
    reasoning: record.reasoning,
    tool_calls: readCalls(record.calls).map(({ name, arguments: text }) => ({ name, arguments: text })),
    finish_reason: record.finish_reason,
    error: record.error,
    prompt_tokens: record.prompt_tokens,
    completion_tokens: record.completion_tokens,
    ms: record.ms,
    outcome: toOverall(verdicts, checks),
    verdicts,
  };
}

type Test = (position: number) => boolean;

/** Letters of the answers of a model to a row. */
const lettersAt = (letters: string, repeats: number, position: number): string =>
  letters.slice(position * repeats, (position + 1) * repeats);

/** The places of the models that a question is about. Throws HttpProblem 400. */
function findPlaces({ models }: WholeRun, model: string | undefined): readonly number[] {
  if (model === undefined) return models.map(({ place }) => place);
  const own = models.find((each) => each.model === model);
  if (own) return [own.place];
  throw new HttpProblem(
    400,
    `The run did not ask the model "${model}". Its models are ${models.map((each) => each.model).join(', ')}.`,
    {
      param: 'model',
      code: 'unknown_model',
    },
  );
}

async function readErrorRows(orm: Orm, runId: string, places: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = (await orm.execute(
    sql`select distinct position from ${answers} where ${answers.run_id} = ${runId} and ${answers.error} is not null
      and ${answers.model} in ${places}`,
  )) as unknown as { readonly rows: readonly { readonly position: number }[] };
  return new Set(rows.map(({ position }) => position));
}

async function toOutcomeTest(
  orm: Orm,
  whole: WholeRun,
  query: AnswersQuery,
  table: VerdictTable,
): Promise<Test | null> {
  const { outcome, scorer } = query;
  if (outcome === undefined) return null;
  const { id, repeats } = whole.run;
  const places = findPlaces(whole, query.model);
  if (outcome === 'error') {
    const rows = await readErrorRows(orm, id, places);
    return (position) => rows.has(position);
  }
  const columns = places.map((place) =>
    scorer === undefined ? table.overall(place) : table.column(scorer, place).letters,
  );
  if (outcome === 'differ')
    return (position) =>
      new Set(
        columns
          .map((letters) => lettersAt(letters, repeats, position))
          .join('')
          .replaceAll(' ', ''),
      ).size > 1;
  return (position) => columns.some((letters) => lettersAt(letters, repeats, position).includes(LETTERS[outcome]));
}

/** Where models are worse or better than the baseline, the largest change first; null: all rows, in their order. */
function findChanged(whole: WholeRun, { change, model }: AnswersQuery, table: VerdictTable): readonly number[] | null {
  if (change === undefined) return null;
  const { run } = whole;
  const base = findPlaces(whole, run.baseline)[0] ?? 0;
  const toRows = (place: number) => toPassedRows(table.overall(place), run);
  const changes = findPlaces(whole, model)
    .filter((place) => place !== base)
    .map((place) => toRowChanges(toRows(place), toRows(base)));
  const [regressed, improved] = (['regressed', 'improved'] as const).map((kind) =>
    change === kind || change === 'changed' ? changes.flatMap((each) => each[kind]) : [],
  );
  return [...new Set([...(regressed ?? []), ...(improved ?? [])])];
}

async function toTagTest(orm: Orm, { content }: WholeRun, { tag, value }: AnswersQuery): Promise<Test | null> {
  if (tag === undefined) return null;
  const column = (await readTagColumns(orm, content.row_set_id))[tag];
  if (column === undefined) return () => false;
  const place = value === undefined ? null : column.values.indexOf(value);
  return (position) => {
    const own = column.of[position] ?? -1;
    return own >= 0 && (place === null || own === place);
  };
}

/** Rows that hold a text themselves, or in an answer. */
async function toSearchTest(orm: Orm, { run, content }: WholeRun, { search }: AnswersQuery): Promise<Test | null> {
  const wanted = search?.trim().toLowerCase() ?? '';
  if (wanted === '') return null;
  const hits = new Set<number>();
  const holds = ({ position: _position, ...row }: PlacedEvaluationRow): boolean =>
    JSON.stringify(row).toLowerCase().includes(wanted);
  for (const row of await readRows(orm, content.row_set_id, 0, run.row_count)) if (holds(row)) hits.add(row.position);
  const { rows } = (await orm.execute(
    sql`select distinct position from ${answers} where ${answers.run_id} = ${run.id}
      and position(${wanted} in lower(${answers.text} || coalesce(${answers.calls}, ''))) > 0`,
  )) as unknown as { readonly rows: readonly { readonly position: number }[] };
  for (const { position } of rows) hits.add(position);
  return (position) => hits.has(position);
}

/** Throws HttpProblem 400, 404. */
export async function readAnswerPage(orm: Orm, runId: string, query: AnswersQuery): Promise<AnswerPage> {
  const whole = await readWholeRun(orm, runId);
  const { run, checks, content } = whole;
  const table = await readVerdictTable(orm, run, countingOf(checks));
  const tests = [
    await toOutcomeTest(orm, whole, query, table),
    await toTagTest(orm, whole, query),
    await toSearchTest(orm, whole, query),
  ].filter((test) => test !== null);
  const all = findChanged(whole, query, table) ?? Array.from({ length: run.row_count }, (_, position) => position);
  const left = tests.length === 0 ? all : all.filter((position) => tests.every((test) => test(position)));
  const { offset = 0, limit = EVALUATION_LIMITS.pageDefault } = query;
  const positions = left.slice(offset, offset + limit);
  const verdictsOf = await readVerdictsAt(orm, run, positions);
  const given = await readAnswersAt(orm, runId, positions);
  const rows = await readRowsAt(orm, content.row_set_id, positions);
  return {
    total: left.length,
    rows: rows.map((row) =>
      Object.assign(row, {
        answers: given
          .filter(({ position }) => position === row.position)
          .map((record) => toAnswer(whole, record, verdictsOf)),
      }),
    ),
  };
}

/** `repeat`: from 1. Throws HttpProblem 400, 404. */
export async function readAnswer(
  orm: Orm,
  runId: string,
  position: number,
  { model, repeat }: { readonly model: string; readonly repeat: number },
): Promise<WholeAnswer> {
  const whole = await readWholeRun(orm, runId);
  const [place] = findPlaces(whole, model);
  const given = await readAnswersAt(orm, runId, [position]);
  const record = found(
    given.find((each) => each.model === place && each.repeat === repeat) ?? null,
    'answer',
    `${position}`,
    'position',
  );
  const [row] = await readRowsAt(orm, whole.content.row_set_id, [position]);
  const request = row ? toAnswerRequest(whole.content, row, model, repeat) : null;
  return {
    ...toAnswer(whole, record, await readVerdictsAt(orm, whole.run, [position])),
    row: row ?? { position },
    request: request?.ok ? request.value : null,
    request_hash: request?.ok ? toRequestHash(request.value) : null,
  };
}
