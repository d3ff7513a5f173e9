// Reads the files that evaluations.sh made, and compares what they say with what the tools say of themselves.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  ImportRefusal,
  type ImportedEvaluation,
  type ImportTool,
} from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { readImport, toByteSource } from '#features/evaluation/shared/imports/readImport.ts';

const [folder = ''] = process.argv.slice(2);
const findFiles = (end: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file));
const read = (file: string): Promise<ImportedEvaluation | null> =>
  readImport(toByteSource(readFileSync(file)), basename(file)).catch((error: unknown) => {
    if (error instanceof ImportRefusal) return null;
    throw error;
  });
/** Those of one tool; files of none are passed over. */
const readAll = async (tool: ImportTool, end: string): Promise<readonly ImportedEvaluation[]> =>
  (await Promise.all(findFiles(end).map(read))).filter((each) => each !== null).filter((each) => each.tool === tool);

let right = 0;
let all = 0;
function expectSame(what: string, found: unknown, expected: unknown): void {
  all += 1;
  if (isDeepStrictEqual(found, expected)) right += 1;
  else process.stderr.write(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}\n`);
}

const passedOf = ({ answers }: ImportedEvaluation): number =>
  answers.filter(({ error, verdicts }) => error === null && verdicts.every(({ outcome }) => outcome === 'pass')).length;

const [results] = await readAll('promptfoo', 'results.json');
const stats = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as {
  results: { stats: { successes: number; failures: number; errors: number } };
};
const { successes, failures, errors } = stats.results.stats;
expectSame('promptfoo, answers', results?.answers.length, successes + failures + errors);
expectSame('promptfoo, passed', results && passedOf(results), successes);
expectSame('promptfoo, errors', results?.answers.filter(({ error }) => error !== null).length, errors);
const [lines] = await readAll('promptfoo', 'results.jsonl');
expectSame('promptfoo, lines', lines?.answers.length, results?.answers.length);
const [config] = await readAll('promptfoo', 'promptfoo.yaml');
expectSame('promptfoo, rows of the configuration', config?.rows.length, results?.rows.length);
expectSame('promptfoo, checks', config?.checks, results?.checks);

const [log] = await readAll('inspect', '.eval');
const [json] = await readAll('inspect', '.json');
const without = (evaluation: ImportedEvaluation | undefined): unknown =>
  evaluation && {
    ...evaluation,
    madeAt: null,
    answers: evaluation.answers.map((answer) => Object.assign({}, answer, { ms: 0 })),
  };
expectSame('Inspect, both forms', without(json), without(log));
for (const { measure, value } of log?.scores ?? []) {
  const [scorer] = measure.split('/');
  const outcomes =
    log?.answers.map(({ verdicts }) => verdicts.find((verdict) => verdict.scorer === scorer)?.score ?? 0) ?? [];
  const mean = outcomes.reduce((sum, score) => sum + score, 0) / outcomes.length;
  expectSame(`Inspect, ${measure}`, Math.abs(mean - value) < 1e-9, true);
}
expectSame('Inspect, scores', log?.scores.length, 2);

const scores = (await readAll('lm-eval', '.json')).flatMap((each) => each.scores);
expectSame('lm-eval, scores', scores.length, 4);
for (const samples of await readAll('lm-eval', '.jsonl'))
  for (const scorer of new Set(samples.answers.flatMap(({ verdicts }) => verdicts.map((verdict) => verdict.scorer)))) {
    const own = samples.answers.flatMap(({ verdicts }) => verdicts.filter((verdict) => verdict.scorer === scorer));
    const mean = own.reduce((sum, { score }) => sum + (score ?? 0), 0) / own.length;
    const told = scores.find(({ measure }) => measure === `${samples.name}/${scorer}`)?.value;
    expectSame(`lm-eval, ${samples.name}/${scorer}`, told !== undefined && Math.abs(mean - told) < 1e-9, true);
  }

process.stdout.write(`${right} of ${all} facts of 3 tools as they say them\n`);
process.exitCode = right === all ? 0 : 1;
