// Candidates as configs of LLaMA-Factory (`llamafactory-cli train config.yaml`). Field names: its examples/ and
// hparams.
import { toComment, toSlug, toYamlLine } from './configText.ts';
import type { ExportInput } from './exportInput.ts';
import type { TrainingFacts } from './trainingFacts.ts';
import { MAX_LENGTH, toBatchParts, toLengthNote } from './trainingMemory.ts';
import {
  toBatchLines,
  toDataHint,
  toDataName,
  toEvalHint,
  toEvalName,
  toFactLine,
  toKnownLine,
  toModelHint,
  toRateLines,
  toYamlDocuments,
} from './yamlConfig.ts';

function toWayLines({ way, wayNote, rank, alpha, rankNote }: TrainingFacts): readonly string[] {
  if (way === null) return [toComment(`finetuning_type: training type ${wayNote ?? ''}`)];
  if (way === 'full') return [toYamlLine('finetuning_type', 'full')];
  return [
    toYamlLine('finetuning_type', 'lora'),
    ...(way === 'qlora' ? [toYamlLine('quantization_bit', 4), toYamlLine('quantization_method', 'bnb')] : []),
    toYamlLine('lora_rank', rank, rankNote),
    toYamlLine('lora_alpha', alpha),
    toYamlLine('lora_target', 'all'),
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
 * Its data/README.md, "OpenAI Format". A row with another role, or a column that is missing, is an error or left out
 * there.
 */
const PLAIN_ROWS = { formatting: 'sharegpt', columns: { messages: 'messages' }, tags: TAGS };

/** OpenAIDatasetConverter in its data/converter.py: it reads `tool_calls`, and `tools` where a row has them. */
const TOOL_ROWS = {
  formatting: 'openai',
  columns: { messages: 'messages', tools: 'tools' },
  tags: { ...TAGS, observation_tag: 'tool', function_tag: 'function' },
};

/** What has to stand in its data/dataset_info.json, so that it finds the rows and knows their fields. */
function toEntries(facts: TrainingFacts, form: typeof PLAIN_ROWS | typeof TOOL_ROWS): readonly string[] {
  return [toDataName, toEvalName].flatMap((toName) => {
    const name = toName(facts, '_');
    const file = toName(facts, '-');
    return name === null || file === null
      ? []
      : [toComment(`"${name}": ${JSON.stringify({ file_name: `${file}.jsonl`, ...form })}`)];
  });
}

function toEntryLines(facts: TrainingFacts): readonly string[] {
  return [
    toComment('data/dataset_info.json needs what follows, and the files beside it:'),
    ...toEntries(facts, PLAIN_ROWS),
    toComment(
      'or, where rows have "tools" or the role "tool" (it gives rows without tools the system prompt "detailed ' +
        'thinking off"; write the arguments of calls as objects, not as text):',
    ),
    ...toEntries(facts, TOOL_ROWS),
  ];
}

/** By itself it evaluates on eight rows at once. */
function toEvalLines(facts: TrainingFacts): readonly string[] {
  const name = toEvalName(facts, '_');
  if (name === null) return [];
  const batch =
    facts.batch.value === null ? [] : [toYamlLine('per_device_eval_batch_size', toBatchParts(facts.batch.value).micro)];
  return [toYamlLine('eval_dataset', name, toEvalHint(facts)), toYamlLine('eval_strategy', 'epoch'), ...batch];
}

function toLines(facts: TrainingFacts): readonly string[] {
  return [
    toKnownLine('model_name_or_path', facts.hub, toModelHint(facts)),
    toYamlLine('stage', 'sft'),
    toYamlLine('do_train', true),
    ...toWayLines(facts),
    ...toEntryLines(facts),
    toYamlLine('dataset', toDataName(facts, '_'), toDataHint(facts)),
    ...toEvalLines(facts),
    toKnownLine(
      'template',
      facts.template?.llamaFactory ?? null,
      "not known for this base model; without it the tokenizer's is taken, or none at all",
    ),
    toComment("Loss: the assistant's turns alone, prompts are masked (LLaMA-Factory's default, train_on_prompt)."),
    toYamlLine('cutoff_len', MAX_LENGTH, toLengthNote('cut')),
    toFactLine('num_train_epochs', facts.epochs),
    ...toBatchLines('per_device_train_batch_size', facts),
    ...toRateLines(facts),
    toYamlLine('bf16', true, "not the service's advice: saves memory, and needs a device that has it"),
    toYamlLine('output_dir', `saves/${toSlug(facts.place, facts.name)}`),
  ];
}

export const toLlamaFactoryConfig = (input: ExportInput): string => toYamlDocuments(input, 'LLaMA-Factory', toLines);
