// Candidates as configs of Axolotl (`axolotl train config.yaml`). Field names: its docs/config.qmd and examples/.
// It must not know other formats.
import { toComment, toSlug, toYamlLine } from './configText';
import type { ExportInput } from './exportInput';
import type { TrainingFacts } from './trainingFacts';
import { MAX_LENGTH, toLengthNote } from './trainingMemory';
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

/** An end of turn that is not the tokenizer's end of text would neither be learnt nor end an answer. */
function toTemplateLines({ template }: TrainingFacts): readonly string[] {
  if (template === null) {
    return [toComment("chat_template: not known for this base model; without it the tokenizer's is taken, and training stops where that has none")];
  }
  return [
    toYamlLine('chat_template', template.axolotl),
    'special_tokens:',
    `  ${toYamlLine('eos_token', template.endOfTurn)}`,
    ...(template.padding === null ? [] : [`  ${toYamlLine('pad_token', template.padding)}`]),
  ];
}

function toLines(facts: TrainingFacts): readonly string[] {
  return [
    toKnownLine('base_model', facts.hub, toModelHint(facts)),
    ...toWayLines(facts),
    ...toTemplateLines(facts),
    toComment("Loss: the assistant's turns alone, prompts are masked (Axolotl's default, roles_to_train)."),
    'datasets:',
    `  - ${toYamlLine('path', `${toDataName(facts, '-')}.jsonl`, toDataHint(facts))}`,
    `    ${toYamlLine('ds_type', 'json')}`,
    `    ${toYamlLine('type', 'chat_template')}`,
    `    ${toYamlLine('field_messages', 'messages')}`,
    toYamlLine('sequence_len', MAX_LENGTH, toLengthNote('dropped')),
    toFactLine('num_epochs', facts.epochs),
    ...toBatchLines('micro_batch_size', facts),
    toFactLine('learning_rate', facts.rate),
    toYamlLine('bf16', 'auto', "not the service's advice: saves memory, as the next line does"),
    toYamlLine('gradient_checkpointing', true),
    toYamlLine('output_dir', `outputs/${toSlug(facts.place, facts.name)}`),
  ];
}

export const toAxolotlConfig = (input: ExportInput): string => toYamlDocuments(input, 'Axolotl', toLines);
