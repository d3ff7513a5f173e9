// The settings of new runs: what can't be obeyed is refused, and what follows from an earlier run is added.
import { findRefusedSetting, toChosen, type ChosenSettings } from '#core/contract/trainingSettings.ts';
import {
  toNewTrainingType,
  type CreateJob,
  type NewExperiment,
  type TrainingType,
} from '#features/training/shared/createJob.ts';
import { toDifferingWords } from '#features/experiments/shared/settingWords.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { findFamily } from '#engine/gguf/families.ts';
import { readHeader } from '#engine/gguf/ggufFile.ts';
import type { experiments } from '#service/database/tables.ts';
import type { Files } from '#service/files/files.ts';
import { TrainingProblem, type findObjectiveRefusal, type Trainer } from './trainer.ts';

export interface SettingDeps {
  /** Why nothing can do a setting, by its name. */
  readonly refusedSettings: NonNullable<Trainer['refusedSettings']>;
  /** Why nothing can learn from what is chosen; null: something can, or that is not known. */
  readonly refuseObjective: (chosen: ChosenSettings) => ReturnType<typeof findObjectiveRefusal>;
  /** The names of the matrices of a base model that can have an adapter; null: not known. */
  readonly findModules: (baseModel: string) => Promise<readonly string[] | null>;
}

/** The experiment that a new one goes on from. */
export type Source = typeof experiments.$inferSelect;

/** The matrices of a GGUF file that can have an adapter, by PyTorch's names; null: those of its family are not known. */
export async function readModules(file: string, disk: Files | undefined): Promise<readonly string[] | null> {
  const { values, tensors } = await readHeader(file, disk);
  const family = findFamily(String(values.get('general.architecture')));
  return family && [...Object.keys(family.modules), ...(tensors.has('output.weight') ? ['lm_head'] : [])];
}

/** Throws TrainingProblem 400 for a setting that can not be obeyed. */
export async function checkSettings(
  { refusedSettings, refuseObjective, findModules }: SettingDeps,
  request: CreateJob,
): Promise<void> {
  for (const [at, wanted] of request.experiments.entries()) {
    const chosen = toChosen(wanted);
    const refused = findRefusedSetting(chosen, refusedSettings) ?? refuseObjective(chosen);
    if (refused !== null)
      throw new TrainingProblem(400, refused.reason, 'unsupported_setting', `experiments[${at}].${refused.name}`);
    if (wanted.target_modules == null) continue;
    const modules = await findModules(wanted.base_model_id);
    const odd = wanted.target_modules.findIndex((name) => modules?.every((each) => !isNamed(each, name)));
    if (modules === null || odd === -1) continue;
    const names = [...new Set(modules.map((each) => each.split('.').at(-1)))].join(', ');
    throw new TrainingProblem(
      400,
      `${wanted.base_model_id} has no matrix ${wanted.target_modules[odd]}. It has ${names}.`,
      'unknown_target_module',
      `experiments[${at}].target_modules[${odd}]`,
    );
  }
}

/** More words tell runs apart no better; the table of runs has all. */
const MOST_WORDS = 5;
/** In UTF-16 units. */
const MAX_LABEL = 120;

/** As PEFT finds them: by the whole path or its end. */
const isNamed = (path: string, name: string): boolean => path === name || path.endsWith(`.${name}`);

/** Rank and alpha of the adapter that a run goes on with; null: it goes on from whole weights, or they are not known. */
const toOldAdapter = ({ lora, settings }: Source) =>
  lora && settings?.lora_rank !== undefined && settings.lora_alpha !== undefined
    ? { lora_rank: settings.lora_rank, lora_alpha: settings.lora_alpha }
    : null;

/** A run that goes on with an adapter has that one's rank and alpha. Throws TrainingProblem 400. */
export function checkAdapter(wanted: NewExperiment, source: Source, at: number): void {
  const old = toNewTrainingType(wanted) === 'full' ? null : toOldAdapter(source);
  if (old === null) return;
  const name = (['lora_rank', 'lora_alpha'] as const).find(
    (each) => wanted[each] != null && wanted[each] !== old[each],
  );
  if (name !== undefined)
    throw new TrainingProblem(
      400,
      `Experiment ${source.id} has an adapter of rank ${old.lora_rank} and alpha ${old.lora_alpha}, and the run goes on ` +
        'with it. Leave rank and alpha out, or train all weights.',
      'other_adapter',
      `experiments[${at}].${name}`,
    );
}

/** What was chosen, and what follows from the run that it goes on from. */
export function toWholeChoice(wanted: NewExperiment, type: TrainingType, source: Source | undefined): ChosenSettings {
  const old = type === 'full' || source === undefined ? null : toOldAdapter(source);
  return { ...toChosen(wanted), ...old };
}

/** `Experiment 2 · rate 5e-3 · seed 1`: what tells each run of a job from the others, or else how it trains. */
export function toRunLabels({ experiments: all }: CreateJob): readonly string[] {
  const types = all.map(toNewTrainingType);
  const words = toDifferingWords(
    all.map((wanted, at) => ({ ...wanted, training_type: types[at] ?? null, chosen: toChosen(wanted) })),
  );
  return words.map((differing, at) => {
    const said = differing.length > 0 ? differing : [toTrainingWord(types[at] ?? null)];
    return [`Experiment ${at + 1}`, ...said.slice(0, MOST_WORDS)].join(' · ').slice(0, MAX_LABEL);
  });
}
