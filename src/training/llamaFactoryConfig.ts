// Candidates as configs of LLaMA-Factory (`llamafactory-cli train config.yaml`). Field names: its examples/ and hparams.
// It must not know other formats.
import { toComment, toSlug, toYamlLine } from './configText';
import type { ExportInput } from './exportInput';
import { findTemplate } from './hubNames';
import type { TrainingFacts } from './trainingFacts';
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

function toLines(facts: TrainingFacts): readonly string[] {
  return [
    toKnownLine('model_name_or_path', facts.hub, toModelHint(facts)),
    toYamlLine('stage', 'sft'),
    toYamlLine('do_train', true),
    ...toWayLines(facts),
    toYamlLine('dataset', toDataName(facts, '_'), `an entry of data/dataset_info.json; ${toDataHint(facts)}`),
    toKnownLine('template', findTemplate(facts.base_model_id), 'the chat template of your base model'),
    toComment('cutoff_len: not given; set it to the length of your longest row'),
    toFactLine('num_train_epochs', facts.epochs),
    ...toBatchLines('per_device_train_batch_size', facts),
    toFactLine('learning_rate', facts.rate),
    toYamlLine('output_dir', `saves/${toSlug(facts.place, facts.name)}`),
  ];
}

export const toLlamaFactoryConfig = (input: ExportInput): string => toYamlDocuments(input, 'LLaMA-Factory', toLines);
