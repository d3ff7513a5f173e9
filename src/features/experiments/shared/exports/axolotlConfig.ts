// Candidates as configs of Axolotl (`axolotl train config.yaml`). Field names: its docs/config.qmd and examples/.
import { toComment, toQuoted, toSlug, toYamlLine } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import type { TrainingFacts } from '#features/experiments/shared/trainingFacts.ts';
import { toLength } from '#features/experiments/shared/trainingMemory.ts';
import {
  toBatchLines,
  toDataFile,
  toDataHint,
  toEvalFile,
  toEvalHint,
  toFactLine,
  toKnownLine,
  toModelHint,
  toRateLines,
  toYamlDocuments,
} from './yamlConfig.ts';

function toMethodLines(facts: TrainingFacts): readonly string[] {
  const { method, methodNote, rank, alpha, rankNote, dropout, chosenModules } = facts;
  if (method === null)
    return [toComment(`adapter: training type ${methodNote ?? ''}; without an adapter every weight is trained`)];
  if (method === 'full') return [toComment('No adapter: every weight is trained.')];
  return [
    toYamlLine('adapter', method),
    ...(method === 'qlora' ? [toYamlLine('load_in_4bit', true)] : []),
    toYamlLine('lora_r', rank, rankNote),
    toYamlLine('lora_alpha', alpha),
    toYamlLine('lora_dropout', dropout),
    ...(chosenModules === null
      ? [toYamlLine('lora_target_linear', true)]
      : ['lora_target_modules:', ...chosenModules.map((name) => `  - ${toQuoted(name)}`)]),
  ];
}

/** The tokens: an end of turn must be the tokenizer's end of text, else the model neither learns it nor stops at it. */
function toTemplateLines({ template }: TrainingFacts): readonly string[] {
  if (template === null) {
    return [
      toComment(
        "chat_template: not known for this base model; without it the tokenizer's is taken, and training stops " +
          'where that has none',
      ),
    ];
  }
  return [
    toYamlLine('chat_template', template.axolotl),
    'special_tokens:',
    `  ${toYamlLine('eos_token', template.endOfTurn)}`,
    ...(template.padding === null ? [] : [`  ${toYamlLine('pad_token', template.padding)}`]),
  ];
}

/** An entry of a list of datasets. */
function toDatasetLines(file: string, hint: string, ...more: readonly string[]): readonly string[] {
  return [
    `  - ${toYamlLine('path', file, hint)}`,
    ...[
      toYamlLine('ds_type', 'json'),
      toYamlLine('type', 'chat_template'),
      toYamlLine('field_messages', 'messages'),
      toYamlLine('field_tools', 'tools'),
      toYamlLine('message_field_training', 'weight'),
      toYamlLine('message_field_training_detail', 'train_detail'),
      'roles_to_train: ["assistant"]',
      ...more,
    ].map((line) => `    ${line}`),
  ];
}

/**
 * A file of rows has one split, `train`. In test_datasets Axolotl uses another one unless the config names it.
 */
function toEvalLines(facts: TrainingFacts): readonly string[] {
  const file = toEvalFile(facts);
  if (file === null) return [];
  return [
    'test_datasets:',
    ...toDatasetLines(file, toEvalHint(facts), toYamlLine('split', 'train')),
    toYamlLine('eval_strategy', 'epoch'),
  ];
}

/**
 * A comment on `num_epochs`, if it needs one. See findings/axolotl-rounds-the-steps-of-all-epochs-together.sh. One epoch is not
 * affected, and packed rows are counted in another way.
 */
export const toEpochNotes = (epochs: number | null, isPacked: boolean): readonly string[] =>
  epochs === null || epochs <= 1 || isPacked
    ? []
    : [
        toComment(
          'Axolotl takes rows x epochs / batch steps, rounded up once: where the batch does not divide the rows, it ' +
            'stops before the last epoch ends. A greater num_epochs trains longer.',
        ),
      ];

function toLines(facts: TrainingFacts): readonly string[] {
  const length = toLength(facts, 'dropped');
  return [
    toKnownLine('base_model', facts.hub, toModelHint(facts)),
    ...toMethodLines(facts),
    ...toTemplateLines(facts),
    toComment("Loss: the assistant's turns alone, prompts are masked (train_on_inputs, roles_to_train)."),
    toYamlLine('train_on_inputs', false),
    'datasets:',
    ...toDatasetLines(toDataFile(facts), toDataHint(facts)),
    ...toEvalLines(facts),
    toYamlLine('sequence_len', length.value, length.note),
    ...toEpochNotes(facts.epochs.value, false),
    toFactLine('num_epochs', facts.epochs),
    ...toBatchLines('micro_batch_size', facts),
    ...toRateLines(facts),
    toYamlLine('lr_scheduler', facts.recipe.scheduler, facts.recipe.schedulerNote),
    toYamlLine('warmup_steps', facts.recipe.warmupSteps),
    toYamlLine('optimizer', facts.recipe.optimizer, facts.recipe.optimizerNote),
    toYamlLine('weight_decay', facts.recipe.weightDecay),
    toYamlLine('sample_packing', false),
    toYamlLine('seed', facts.recipe.seed),
    toYamlLine('bf16', 'auto', "not the service's advice: saves memory, as the next line does"),
    toYamlLine('gradient_checkpointing', true),
    toYamlLine('output_dir', `outputs/${toSlug(facts.place, facts.name)}`),
  ];
}

const CHECKED = 'checked against the keys of Axolotl 0.21, and run with it on small models';

export const toAxolotlConfig = (input: ExportInput): string => toYamlDocuments(input, 'Axolotl', CHECKED, toLines);
