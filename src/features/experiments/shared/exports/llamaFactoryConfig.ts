// Candidates as configs of LLaMA-Factory (`llamafactory-cli train config.yaml`). Field names: its examples/ and
// hparams.
import { toComment, toSlug, toYamlLine } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import type { TrainingFacts } from '#features/experiments/shared/trainingFacts.ts';
import { toBatchParts, toLength } from '#features/experiments/shared/trainingMemory.ts';
import {
  toBatchLines,
  toDataFile,
  toDataHint,
  toDataName,
  toEvalFile,
  toEvalHint,
  toEvalName,
  toFactLine,
  toKnownLine,
  toModelHint,
  toRateLines,
  toYamlDocuments,
} from './yamlConfig.ts';

function toMethodLines(facts: TrainingFacts): readonly string[] {
  const { method, methodNote, rank, alpha, rankNote, dropout, chosenModules } = facts;
  if (method === null) return [toComment(`finetuning_type: training type ${methodNote ?? ''}`)];
  if (method === 'full') return [toYamlLine('finetuning_type', 'full')];
  return [
    toYamlLine('finetuning_type', 'lora'),
    ...(method === 'qlora' ? [toYamlLine('quantization_bit', 4), toYamlLine('quantization_method', 'bnb')] : []),
    toYamlLine('lora_rank', rank, rankNote),
    toYamlLine('lora_alpha', alpha),
    toYamlLine('lora_dropout', dropout),
    toYamlLine('lora_target', chosenModules?.join(',') ?? 'all'),
  ];
}

const TAGS = {
  role_tag: 'role',
  content_tag: 'content',
  user_tag: 'user',
  assistant_tag: 'assistant',
  system_tag: 'system',
};

/**
 * Source: LLaMA-Factory's data/README.md, "OpenAI Format". It refuses or skips rows with other roles or missing
 * columns.
 */
const PLAIN_ROWS = { formatting: 'sharegpt', columns: { messages: 'messages' }, tags: TAGS };

/**
 * Source: OpenAIDatasetConverter in LLaMA-Factory's data/converter.py. It reads `tool_calls`, and `tools` if present.
 */
const TOOL_ROWS = {
  formatting: 'openai',
  columns: { messages: 'messages', tools: 'tools' },
  tags: { ...TAGS, observation_tag: 'tool', function_tag: 'function' },
};

/** The entries that LLaMA-Factory needs in its data/dataset_info.json to find the rows and their fields. */
function toEntries(facts: TrainingFacts, form: typeof PLAIN_ROWS | typeof TOOL_ROWS): readonly string[] {
  const files = [
    [toDataName(facts, '_'), toDataFile(facts)],
    [toEvalName(facts, '_'), toEvalFile(facts)],
  ] as const;
  return files.flatMap(([name, file_name]) =>
    name === null || file_name === null ? [] : [toComment(`"${name}": ${JSON.stringify({ file_name, ...form })}`)],
  );
}

function toEntryLines(facts: TrainingFacts): readonly string[] {
  return [
    toComment('data/dataset_info.json needs what follows, and the files beside it:'),
    ...toEntries(facts, PLAIN_ROWS),
    toComment(
      'or, where rows have "tools" or the role "tool" (it gives rows without tools the system prompt "detailed ' +
        'thinking off"; download the rows in its form, which has calls as it reads them):',
    ),
    ...toEntries(facts, TOOL_ROWS),
  ];
}

/** By default LLaMA-Factory evaluates eight rows at once. */
function toEvalLines(facts: TrainingFacts): readonly string[] {
  const name = toEvalName(facts, '_');
  if (name === null) return [];
  const batch =
    facts.batch.value === null ? [] : [toYamlLine('per_device_eval_batch_size', toBatchParts(facts.batch.value).micro)];
  return [toYamlLine('eval_dataset', name, toEvalHint(facts)), toYamlLine('eval_strategy', 'epoch'), ...batch];
}

function toLines(facts: TrainingFacts): readonly string[] {
  const length = toLength(facts, 'cut');
  return [
    toKnownLine('model_name_or_path', facts.hub, toModelHint(facts)),
    toYamlLine('stage', 'sft'),
    toYamlLine('do_train', true),
    ...toMethodLines(facts),
    ...toEntryLines(facts),
    toYamlLine('dataset', toDataName(facts, '_'), toDataHint(facts)),
    ...toEvalLines(facts),
    toKnownLine(
      'template',
      facts.template?.llamaFactory ?? null,
      "not known for this base model; without it the tokenizer's is taken, or none at all",
    ),
    toComment("Loss: the assistant's turns alone, prompts are masked (train_on_prompt, mask_history)."),
    toYamlLine('train_on_prompt', false),
    toYamlLine(
      'mask_history',
      false,
      'write true for rows downloaded in its form: each ends with the answer to learn. Rows with marks such as ' +
        '"weight": 0 need that form, because it reads none',
    ),
    toYamlLine('cutoff_len', length.value, length.note),
    toFactLine('num_train_epochs', facts.epochs),
    ...toBatchLines('per_device_train_batch_size', facts),
    ...toRateLines(facts),
    toYamlLine('lr_scheduler_type', facts.recipe.scheduler, facts.recipe.schedulerNote),
    toYamlLine('warmup_steps', facts.recipe.warmupSteps),
    toYamlLine('optim', facts.recipe.optimizer, facts.recipe.optimizerNote),
    toYamlLine('weight_decay', facts.recipe.weightDecay),
    toYamlLine('packing', false),
    toYamlLine('seed', facts.recipe.seed),
    toYamlLine('bf16', true, "not the service's advice: saves memory, and needs a device that has it"),
    toYamlLine('output_dir', `saves/${toSlug(facts.place, facts.name)}`),
  ];
}

const CHECKED = 'checked against the arguments of LLaMA-Factory 0.9.5, and run with it on small models';

export const toLlamaFactoryConfig = (input: ExportInput): string =>
  toYamlDocuments(input, 'LLaMA-Factory', CHECKED, toLines);
