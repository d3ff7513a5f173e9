// Candidates as configs of Axolotl (`axolotl train config.yaml`). Field names: its docs/config.qmd and examples/.
// It must not know other formats.
import { toComment, toSlug, toYamlLine } from './configText';
import type { ExportInput } from './exportInput';
import type { TrainingFacts } from './trainingFacts';
import { toBatchLines, toDataHint, toDataName, toFactLine, toKnownLine, toModelHint, toYamlDocuments } from './yamlConfig';

function toWayLines({ way, wayNote, rank, alpha, rankNote }: TrainingFacts): readonly string[] {
  if (way === null) return [toComment(`adapter: training type ${wayNote ?? ''}; without an adapter every weight is trained`)];
  if (way === 'full') return [toComment('No adapter: every weight is trained.')];
  return [
    toYamlLine('adapter', way),
    ...(way === 'qlora' ? [toYamlLine('load_in_4bit', true)] : []),
    toYamlLine('lora_r', rank, rankNote),
    toYamlLine('lora_alpha', alpha),
    toYamlLine('lora_target_linear', true),
  ];
}

function toLines(facts: TrainingFacts): readonly string[] {
  return [
    toKnownLine('base_model', facts.hub, toModelHint(facts)),
    ...toWayLines(facts),
    'datasets:',
    `  - ${toYamlLine('path', `${toDataName(facts, '-')}.jsonl`, toDataHint(facts))}`,
    `    ${toYamlLine('ds_type', 'json')}`,
    `    ${toYamlLine('type', 'chat_template')}`,
    `    ${toYamlLine('field_messages', 'messages')}`,
    toComment('sequence_len: not given; set it to the length of your longest row'),
    toFactLine('num_epochs', facts.epochs),
    ...toBatchLines('micro_batch_size', facts),
    toFactLine('learning_rate', facts.rate),
    toYamlLine('output_dir', `outputs/${toSlug(facts.place, facts.name)}`),
  ];
}

export const toAxolotlConfig = (input: ExportInput): string => toYamlDocuments(input, 'Axolotl', toLines);
