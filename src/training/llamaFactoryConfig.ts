// Candidates as configs of LLaMA-Factory (`llamafactory-cli train config.yaml`). Field names: its examples/ and hparams.
// It must not know other formats.
import { toComment, toSlug, toYamlLine } from './configText';
import type { ExportInput } from './exportInput';
import type { TrainingFacts } from './trainingFacts';
import { MAX_LENGTH, toLengthNote } from './trainingMemory';
import { toBatchLines, toDataHint, toDataName, toFactLine, toKnownLine, toModelHint, toYamlDocuments } from './yamlConfig';

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

/** What has to stand in its data/dataset_info.json, so that it finds the rows and knows their fields (its data/README.md). */
function toDatasetEntry(facts: TrainingFacts): string {
  const entry = {
    file_name: `${toDataName(facts, '-')}.jsonl`,
    formatting: 'sharegpt',
    columns: { messages: 'messages' },
    tags: { role_tag: 'role', content_tag: 'content', user_tag: 'user', assistant_tag: 'assistant', system_tag: 'system' },
  };
  return toComment(`"${toDataName(facts, '_')}": ${JSON.stringify(entry)}`);
}

function toLines(facts: TrainingFacts): readonly string[] {
  return [
    toKnownLine('model_name_or_path', facts.hub, toModelHint(facts)),
    toYamlLine('stage', 'sft'),
    toYamlLine('do_train', true),
    ...toWayLines(facts),
    toComment('data/dataset_info.json needs this entry, and the file beside it; rows with the role "tool" need more tags (data/README.md):'),
    toDatasetEntry(facts),
    toYamlLine('dataset', toDataName(facts, '_'), toDataHint(facts)),
    toKnownLine('template', facts.template?.llamaFactory ?? null, "not known for this base model; without it the tokenizer's is taken, or none at all"),
    toComment("Loss: the assistant's turns alone, prompts are masked (LLaMA-Factory's default, train_on_prompt)."),
    toYamlLine('cutoff_len', MAX_LENGTH, toLengthNote('cut')),
    toFactLine('num_train_epochs', facts.epochs),
    ...toBatchLines('per_device_train_batch_size', facts),
    toFactLine('learning_rate', facts.rate),
    toYamlLine('bf16', true, "not the service's advice: saves memory, and needs a device that has it"),
    toYamlLine('output_dir', `saves/${toSlug(facts.place, facts.name)}`),
  ];
}

export const toLlamaFactoryConfig = (input: ExportInput): string => toYamlDocuments(input, 'LLaMA-Factory', toLines);
