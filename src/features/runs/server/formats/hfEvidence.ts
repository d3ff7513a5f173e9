// What the files of HF's Trainer say together about one run.
import type { JsonObject } from '#core/contract/readJson.ts';
import {
  toEvidence,
  toFact,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { baseName, folderOf } from '#features/runs/server/paths.ts';
import type { FolderView } from '#features/runs/server/reader.ts';
import { toText } from './looseJson.ts';
import type { ModelCard } from './modelCard.ts';
import { checkpointFolders, finalWeights, newestWeights, rowFilesOf, stepOf, toCheckpoint } from './outputFolder.ts';
import type { TensorSummary } from './safetensorsHeader.ts';
import { addSettings } from './settings.ts';
import { addAdapterSettings } from './trainerSettings.ts';
import { findEnd, measuresAt, type TrainerState } from './trainerState.ts';
import type { TrainingArguments } from './trainingArguments.ts';
import { methodOfMetrics, methodOfTags } from './trainingMethod.ts';

/** A file and what was read in it. */
export interface Part<Value> {
  readonly path: string;
  readonly modifiedAt: number;
  readonly value: Value;
}

/** What was read of one run. Where there are several of a kind, the best source comes first. */
export interface HfParts {
  readonly states: readonly Part<TrainerState>[];
  readonly results: readonly Part<ReadonlyMap<string, number>>[];
  readonly adapterConfigs: readonly Part<JsonObject>[];
  readonly modelConfigs: readonly Part<JsonObject>[];
  readonly cards: readonly Part<ModelCard>[];
  readonly headers: readonly Part<TensorSummary>[];
  readonly arguments: readonly Part<TrainingArguments>[];
  readonly lastSignAt: number | null;
}

/** Where a method is told and not guessed. */
const CLASS_PLACE = 'class of the arguments';
const TAGS_PLACE = 'tags';

/** Tags of a card that say nothing about the run. */
const EMPTY_TAG = /^(?:generated_from_trainer|transformers|trl|peft|safetensors|base_model:.*)$/;

/** On the machine that trained, which may have been Windows. */
const BEST_CHECKPOINT = /^(.+)[\\/]checkpoint-\d+$/;

export function toHfEvidence(format: string, folder: FolderView, parts: HfParts): RunEvidence {
  const [card] = parts.cards;
  const [adapter] = parts.adapterConfigs;
  const [config] = parts.modelConfigs;
  const state = newestState(parts.states);
  const [, output] = BEST_CHECKPOINT.exec(state?.value.bestCheckpoint ?? '') ?? [];
  const checkpoints = checkpointFolders(folder).map((inner) => toCheckpoint(inner, findMeasures(inner, parts.states)));
  const weights = finalWeights(folder);
  return toEvidence({
    format,
    key: folder.path,
    folder: folder.path,
    outputDir:
      firstFact(parts.arguments, ({ settings }) => toText(settings['output_dir']), 'output_dir') ??
      (state && output !== undefined ? factOf(output, state, 'best_model_checkpoint') : null),
    name: (state && textFact(state.value.trialName, state, 'trial_name')) ?? toName(parts),
    tags: (card?.value.tags ?? []).filter((tag) => !EMPTY_TAG.test(tag)),
    baseModel:
      (adapter && textFact(toText(adapter.value['base_model_name_or_path']), adapter, 'base_model_name_or_path')) ??
      firstFact(parts.cards, ({ baseModel }) => baseModel, 'base_model') ??
      (config && textFact(toText(config.value['_name_or_path']), config, '_name_or_path')) ??
      null,
    datasets: firstFact(parts.cards, ({ datasets }) => (datasets.length > 0 ? datasets : null), 'datasets'),
    method: findMethod(parts, state),
    isAdapter: findAdapter(folder, adapter),
    parameters: toParameters(parts, state),
    environment: toEnvironment(parts),
    curves: state?.value.curves ?? new Map(),
    curveSource: state ? sourceOf(state, 'log_history') : null,
    summary: toSummary(parts, state),
    progress: state?.value.progress ?? null,
    signs: findSigns(folder, parts, state),
    lastSignAt: parts.lastSignAt,
    bestStep: state && toFact(state.value.bestStep, sourceOf(state, 'best_model_checkpoint')),
    checkpoints: [...checkpoints, ...weights],
    rowFiles: rowFilesOf(folder),
  });
}

const sourceOf = (part: Part<unknown>, place: string | null): FactSource => ({ file: part.path, place });

const factOf = <Value>(value: Value, part: Part<unknown>, place: string | null): Fact<Value> => ({
  value,
  source: sourceOf(part, place),
});

const textFact = (value: string | null, part: Part<unknown>, place: string): Fact<string> | null =>
  toFact(toText(value), sourceOf(part, place));

function firstFact<Value, Found>(
  parts: readonly Part<Value>[],
  find: (value: Value) => Found | null,
  place: string,
): Fact<Found> | null {
  for (const part of parts) {
    const found = find(part.value);
    if (found !== null) return factOf(found, part, place);
  }
  return null;
}

/** Unless it is the output folder again, which is what transformers 4.x fills in. */
const toName = (parts: HfParts): Fact<string> | null =>
  firstFact(
    parts.arguments,
    ({ settings }) => (settings['run_name'] === settings['output_dir'] ? null : toText(settings['run_name'])),
    'run_name',
  );

/** A run that was started again in the same folder may have fewer steps than what is left of the old one. */
function newestState(states: readonly Part<TrainerState>[]): Part<TrainerState> | null {
  return states.reduce<Part<TrainerState> | null>(
    (newest, state) => (newest === null || state.modifiedAt > newest.modifiedAt ? state : newest),
    null,
  );
}

/** Its own state, else the newest one if that log is the checkpoint's too: it was written later and reaches its step. */
function findMeasures(checkpoint: FolderView, states: readonly Part<TrainerState>[]): ReadonlyMap<string, number> {
  const step = stepOf(baseName(checkpoint.path));
  const own = states.find(({ path }) => folderOf(path) === checkpoint.path);
  const state = own ?? newestState(states);
  const savedAt = checkpoint.files.get('trainer_state.json')?.modifiedAt;
  if (step === null || !state || savedAt === undefined || savedAt > state.modifiedAt) return new Map();
  return measuresAt(state.value, step);
}

function findMethod(parts: HfParts, state: Part<TrainerState> | null): Fact<string> | null {
  const told =
    firstFact(parts.arguments, ({ method }) => method, CLASS_PLACE) ??
    firstFact(parts.cards, ({ tags }) => methodOfTags(tags), TAGS_PLACE);
  if (told) return told;
  const byMetrics = state ? methodOfMetrics((name) => state.value.curves.has(name)) : null;
  return state && byMetrics !== null ? factOf(byMetrics, state, 'log_history') : null;
}

/** Whole weights without an adapter's config, in the folder or its newest checkpoint, mean that all weights were trained. */
function findAdapter(folder: FolderView, adapter: Part<JsonObject> | undefined): Fact<boolean> | null {
  if (adapter) return factOf(true, adapter, 'peft_type');
  for (const weights of [
    ...finalWeights(folder),
    ...checkpointFolders(folder).map((it) => toCheckpoint(it, new Map())),
  ]) {
    if (weights.kind === 'full') return { value: false, source: { file: weights.path, place: 'model weights' } };
  }
  return null;
}

function toParameters(parts: HfParts, state: Part<TrainerState> | null): Map<string, Fact<ParameterValue>> {
  const found = new Map<string, Fact<ParameterValue>>();
  for (const each of parts.arguments) addSettings(found, each.value.settings, sourceOf(each, null));
  if (state) addSettings(found, state.value.settings, sourceOf(state, 'trial_params'));
  const [adapter] = parts.adapterConfigs;
  if (adapter) addAdapterSettings(found, adapter.value, sourceOf(adapter, null));
  const [config] = parts.modelConfigs;
  if (config) addSettings(found, config.value, sourceOf(config, null), (key) => `model_config.${key}`);
  // A card is written for people, and by people.
  for (const card of parts.cards) addSettings(found, card.value.parameters, sourceOf(card, 'Training hyperparameters'));
  return found;
}

function toEnvironment(parts: HfParts): Map<string, Fact<string>> {
  const found = new Map<string, Fact<string>>();
  const add = (name: string, value: string | null, part: Part<unknown>, place: string): void => {
    const key = name.toLowerCase() === 'pytorch' ? 'torch' : name.toLowerCase();
    if (value !== null && !found.has(key)) found.set(key, factOf(value, part, place));
  };
  for (const card of parts.cards) {
    for (const [name, version] of card.value.versions) add(name, version, card, 'Framework versions');
  }
  for (const config of parts.adapterConfigs) add('peft', toText(config.value['peft_version']), config, 'peft_version');
  for (const config of parts.modelConfigs) {
    for (const name of ['transformers', 'unsloth']) {
      add(name, toText(config.value[`${name}_version`]), config, `${name}_version`);
    }
  }
  return found;
}

function toSummary(parts: HfParts, state: Part<TrainerState> | null): Map<string, Fact<number>> {
  const found = new Map<string, Fact<number>>();
  const add = (name: string, fact: Fact<number>): void => {
    if (!found.has(name)) found.set(name, fact);
  };
  for (const [name, value] of state?.value.summary ?? []) if (state) add(name, factOf(value, state, 'log_history'));
  for (const result of parts.results) {
    for (const [name, value] of result.value) if (name !== 'epoch') add(name, factOf(value, result, null));
  }
  for (const header of parts.headers) add('adapter_parameters', factOf(header.value.parameters, header, 'header'));
  return found;
}

function findSigns(folder: FolderView, parts: HfParts, state: Part<TrainerState> | null): readonly StatusSign[] {
  const signs: StatusSign[] = [];
  const end = state && findEnd(state.value, state.path, state.modifiedAt);
  if (end) signs.push(end);
  const trained = parts.results.find(({ path }) => baseName(path) === 'train_results.json');
  const lastSave = Math.max(-Infinity, ...checkpointFolders(folder).map(savedAtOf));
  if (trained && trained.modifiedAt >= lastSave) {
    const reason = 'the results of the training were written';
    signs.push({ kind: 'finished', reason, at: trained.modifiedAt, source: sourceOf(trained, null) });
  }
  const weightsAt = newestWeights(folder);
  if (weightsAt !== null && weightsAt >= lastSave) {
    const reason =
      lastSave > 0 ? 'the final weights are newer than the last checkpoint' : 'the final weights were saved';
    signs.push({ kind: 'complete', reason, at: weightsAt, source: { file: folder.path, place: 'model weights' } });
  }
  return signs;
}

const savedAtOf = (checkpoint: FolderView): number =>
  checkpoint.files.get('trainer_state.json')?.modifiedAt ?? newestWeights(checkpoint) ?? -Infinity;
