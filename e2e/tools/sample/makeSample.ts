// Makes the sample's files in a folder, step by step. What is done stays; a call after a stop goes on.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '#trainer/files/checkpoint.ts';
import { toVocabularyTexts } from './corpusRows.ts';
import type { SamplePlan } from './plan.ts';
import { toPreferenceLine } from './preferenceRows.ts';
import { DATASETS, toDatasetLines, type RowCounts } from './rows.ts';
import { BASE_FILE, BASE_NAME, runExperiment, type ExperimentResult } from './runExperiment.ts';
import { toStartModel } from './startModel.ts';
import { trainBase, type BaseLink } from './trainBase.ts';
import { trainTokenizer } from './trainTokenizer.ts';

/** Bytes of the models and adapters of the sample at most. The rows, which pack well, come on top. */
const MOST_WEIGHT_BYTES = 12_000_000;
const PLAN_FILE = 'plan.json';
/** Pairs, from the first replies: enough to learn one habit in half a minute. */
const PREFERENCES: RowCounts = { training: 200, heldOut: 60 };

const write = (path: string, text: string): void => replaceFile(path, [new TextEncoder().encode(text)]);

interface Digests {
  /** Of all that the base comes from. */
  readonly base: string;
  /** Of the rows and the experiments. */
  readonly rest: string;
}

function toDigests(plan: SamplePlan): Digests {
  const { shape, texts, base, ...rest } = plan;
  const ofBase = createHash('sha256').update(JSON.stringify({ shape, texts, base }));
  for (const text of toVocabularyTexts(base.seed, texts)) ofBase.update(text);
  const ofRest = createHash('sha256').update(JSON.stringify(rest));
  for (const name of DATASETS) {
    const { training, heldOut } = toDatasetLines(name, plan.rows[name]);
    ofRest.update([...training, ...heldOut].join('\n'));
  }
  return { base: ofBase.digest('hex'), rest: ofRest.digest('hex') };
}

const BASE_FILES: readonly string[] = ['start.gguf', 'base.bin', BASE_FILE];

/** What another plan, or other phrases, made is removed: the base only if it would be another one. */
function openFolder(folder: string, plan: SamplePlan): void {
  const digests = toDigests(plan);
  const path = join(folder, PLAN_FILE);
  mkdirSync(folder, { recursive: true });
  const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Digests>) : null;
  if (found?.base === digests.base && found.rest === digests.rest) return;
  if (readdirSync(folder).length > 0 && found === null)
    throw new Error(`${folder} has files of something else. Give an empty folder with --work.`);
  const kept = found?.base === digests.base ? BASE_FILES : [];
  for (const entry of readdirSync(folder)) if (!kept.includes(entry)) rmSync(join(folder, entry), { recursive: true });
  write(path, JSON.stringify(digests));
}

function writeRows(folder: string, plan: SamplePlan): void {
  const writeBoth = (name: string, training: readonly string[], heldOut: readonly string[]): void => {
    write(join(folder, `${name}.train.jsonl`), `${training.join('\n')}\n`);
    write(join(folder, `${name}.val.jsonl`), `${heldOut.join('\n')}\n`);
  };
  for (const name of DATASETS) {
    const { training, heldOut } = toDatasetLines(name, plan.rows[name]);
    writeBoth(name, training, heldOut);
    if (name !== 'replies') continue;
    const toPairs = (lines: readonly string[], most: number) => lines.slice(0, most).map(toPreferenceLine);
    writeBoth('preferences', toPairs(training, PREFERENCES.training), toPairs(heldOut, PREFERENCES.heldOut));
  }
}

async function makeBase(folder: string, plan: SamplePlan, link: BaseLink): Promise<'done' | 'stopped'> {
  const result = join(folder, BASE_FILE);
  if (existsSync(result)) return 'done';
  const start = join(folder, 'start.gguf');
  const { seed } = plan.base;
  if (!existsSync(start)) {
    const vocabulary = trainTokenizer(toVocabularyTexts(seed, plan.texts), plan.shape.vocabulary);
    link.say(`vocabulary: ${vocabulary.tokens.length} tokens, ${vocabulary.merges.length} of them learnt`);
    replaceFile(start, [toStartModel(BASE_NAME, plan.shape, vocabulary, seed)]);
  }
  return trainBase({ start, checkpoint: join(folder, 'base.bin'), result }, BASE_NAME, plan.base, link);
}

/** The files that belong to the sample, in a folder that is done. */
export const toSampleNames = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /^support-.*\.gguf$|\.(train|val)\.jsonl$|^runs\.json$/.test(name));

const toPercent = (share: number | undefined): string => `${((share ?? 0) * 100).toFixed(1)} %`;

function tell(link: BaseLink, { record, handWritten }: ExperimentResult): void {
  const { dataset, experiment, mode, held_out, held_out_base, seconds, failed } = record;
  const name = `${dataset} ${experiment} (${mode}, ${seconds} s)`;
  if (failed !== null) return link.say(`${name}: ${failed}`);
  link.say(
    `${name}: exact match ${toPercent(held_out?.exact_match)}, base ${toPercent(held_out_base.exact_match)}; ` +
      `written by hand: ${handWritten?.right} of ${handWritten?.count}`,
  );
}

/** 'stopped': call it again with the same folder to go on. Throws if the files are too large. */
export async function makeSample(folder: string, plan: SamplePlan, link: BaseLink): Promise<'done' | 'stopped'> {
  openFolder(folder, plan);
  writeRows(folder, plan);
  if ((await makeBase(folder, plan, link)) === 'stopped') return 'stopped';
  const results: ExperimentResult[] = [];
  for (const experiment of plan.experiments) {
    const path = join(folder, `${experiment.dataset}-${experiment.number}.json`);
    if (existsSync(path)) {
      results.push(JSON.parse(readFileSync(path, 'utf8')) as ExperimentResult);
      continue;
    }
    if (link.isStopped()) return 'stopped';
    const result = await runExperiment(folder, experiment, plan.handWritten, link);
    if (result === 'stopped') return 'stopped';
    tell(link, result);
    write(path, JSON.stringify(result));
    results.push(result);
  }
  write(join(folder, 'runs.json'), `[\n${results.map(({ record }) => ` ${JSON.stringify(record)}`).join(',\n')}\n]\n`);
  const toBytes = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const names = toSampleNames(folder);
  const weights = toBytes(names.filter((name) => name.endsWith('.gguf')));
  link.say(`all files: ${(toBytes(names) / 1e6).toFixed(1)} MB, ${(weights / 1e6).toFixed(1)} MB of them weights`);
  if (weights > MOST_WEIGHT_BYTES)
    throw new Error(`The models have ${weights} bytes, and may have ${MOST_WEIGHT_BYTES}.`);
  return 'done';
}
