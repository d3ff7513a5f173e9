// Facts of a run in the settings that HF's Trainer hands to its trackers: the model's config and the training arguments
// in one object, with `peft_config` for adapters.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import {
  toFact,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
} from '#features/runs/server/evidence.ts';
import { toFinite, toText } from './looseJson.ts';
import { addSettings, toParameters } from './settings.ts';
import { methodOfSettings } from './trainingMethod.ts';

export interface TrainerFacts {
  readonly evidence: Pick<RunEvidence, 'parameters' | 'baseModel' | 'outputDir' | 'isAdapter' | 'method'>;
  readonly totalSteps: number | null;
  readonly totalEpochs: number | null;
}

/** Facts by settings as a tracker kept them. `settings`: values as JSON has them, or as text (MLflow). */
export function toTrainerFacts(settings: JsonObject, source: FactSource): TrainerFacts {
  const parameters = toParameters(settings, source);
  const adapters = findAdapters(settings['peft_config']);
  if (adapters[0]) addAdapterSettings(parameters, adapters[0], source);
  const evidence = {
    parameters,
    baseModel: toFact(
      toText(settings['model_name_or_path']) ??
        firstText(adapters.map((adapter) => adapter['base_model_name_or_path'])) ??
        toText(settings['_name_or_path']) ??
        toText(settings['base_model']),
      source,
    ),
    outputDir: toFact(toText(settings['output_dir']), source),
    isAdapter: toFact(adapters.length > 0 ? true : null, source),
    method: toFact(
      methodOfSettings((name) => name in settings),
      source,
    ),
  };
  return {
    evidence,
    totalSteps: toCount(settings['max_steps']),
    totalEpochs: toCount(settings['num_train_epochs']),
  };
}

/**
 * The settings of an adapter, under PEFT's names. Its `r` says little beside the trainer's settings, and is a rank for LoRA
 * alone: AdaLoRA ignores it, of VeRA it is a width that all layers share.
 */
export function addAdapterSettings(
  target: Map<string, Fact<ParameterValue>>,
  adapter: JsonObject,
  source: FactSource,
): void {
  const isLora = String(adapter['peft_type'] ?? 'LORA').toUpperCase() === 'LORA';
  addSettings(target, adapter, source, (key) => (key === 'r' && isLora ? 'lora_r' : key));
}

/** PEFT's configs by adapter name, as objects or as the text of a Python dict, which only says that there are some. */
function findAdapters(value: unknown): readonly JsonObject[] {
  if (isObject(value)) return Object.values(value).filter(isObject);
  return typeof value === 'string' && value.includes('peft_type') ? [{}] : [];
}

const firstText = (values: readonly unknown[]): string | null =>
  values.map(toText).find((text) => text !== null) ?? null;

/** A positive number, or its text. The Trainer writes -1 for steps that the epochs decide. */
function toCount(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : toFinite(value);
  return number !== null && Number.isFinite(number) && number > 0 ? number : null;
}
