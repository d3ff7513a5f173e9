// Every field that a config writes is one that its trainer has, whatever a name holds.
import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { describe, expect, it } from 'vitest';
import { toAxolotlConfig } from './axolotlConfig.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { ConfigId } from './exportFormats.ts';
import { CONFIGS, EVERY_WAY, readYaml, toTestInput, YAML_CONFIGS } from './exportFormats.fixture.ts';
import type { ExportFormat } from './exportInput.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';

/**
 * Of axolotl 0.18 (examples/qwen3/32b-qlora.yaml, examples/llama-3/instruct-lora-8b.yml,
 * docs/dataset-formats/conversation.qmd).
 */
const AXOLOTL = [
  'base_model',
  'adapter',
  'load_in_4bit',
  'lora_r',
  'lora_alpha',
  'lora_dropout',
  'lora_target_linear',
  'chat_template',
  'special_tokens',
  'sequence_len',
  'bf16',
  'gradient_checkpointing',
  'datasets',
  'test_datasets',
  'eval_strategy',
  'num_epochs',
  'micro_batch_size',
  'gradient_accumulation_steps',
  'learning_rate',
  'lr_scheduler',
  'warmup_steps',
  'optimizer',
  'weight_decay',
  'sample_packing',
  'train_on_inputs',
  'seed',
  'output_dir',
];
const AXOLOTL_DATASET = [
  'path',
  'ds_type',
  'type',
  'field_messages',
  'field_tools',
  'message_field_training',
  'message_field_training_detail',
  'roles_to_train',
];
/** Of LLaMA-Factory 0.9 (examples/train_lora/qwen3_lora_sft.yaml, train_qlora/qwen3_lora_sft_otfq.yaml, train_full). */
const LLAMA_FACTORY = [
  'model_name_or_path',
  'stage',
  'do_train',
  'finetuning_type',
  'quantization_bit',
  'quantization_method',
  'lora_rank',
  'lora_alpha',
  'lora_dropout',
  'lora_target',
  'train_on_prompt',
  'mask_history',
  'packing',
  'lr_scheduler_type',
  'warmup_steps',
  'optim',
  'weight_decay',
  'seed',
  'dataset',
  'eval_dataset',
  'eval_strategy',
  'per_device_eval_batch_size',
  'template',
  'cutoff_len',
  'bf16',
  'num_train_epochs',
  'per_device_train_batch_size',
  'gradient_accumulation_steps',
  'learning_rate',
  'output_dir',
];
/**
 * Of TRL 1.9 (trl/scripts/sft.py, trl/trainer/model_config.py, sft_config.py) and the TrainingArguments of
 * transformers.
 */
const TRL = [
  'model_name_or_path',
  'chat_template_path',
  'eos_token',
  'assistant_only_loss',
  'dataset_name',
  'dataset_test_split',
  'eval_strategy',
  'per_device_eval_batch_size',
  'max_length',
  'use_peft',
  'lora_r',
  'lora_alpha',
  'lora_dropout',
  'lora_target_modules',
  'completion_only_loss',
  'packing',
  'lr_scheduler_type',
  'warmup_steps',
  'optim',
  'weight_decay',
  'seed',
  'report_to',
  'load_in_4bit',
  'num_train_epochs',
  'per_device_train_batch_size',
  'gradient_accumulation_steps',
  'learning_rate',
  'output_dir',
];
/**
 * Of Unsloth (FastLanguageModel.from_pretrained, get_peft_model, chat_templates.py, train_on_responses_only), TRL's
 * SFTTrainer and SFTConfig.
 */
const UNSLOTH = [
  'chat_template',
  'instruction_part',
  'response_part',
  'model_name',
  'max_seq_length',
  'load_in_4bit',
  'full_finetuning',
  'r',
  'lora_alpha',
  'lora_dropout',
  'target_modules',
  'random_state',
  'packing',
  'lr_scheduler_type',
  'warmup_steps',
  'optim',
  'weight_decay',
  'auto_find_batch_size',
  'seed',
  'encoding',
  'tools',
  'tokenize',
  'eval_dataset',
  'eval_strategy',
  'per_device_eval_batch_size',
  'dataset_text_field',
  'num_train_epochs',
  'per_device_train_batch_size',
  'gradient_accumulation_steps',
  'learning_rate',
  'output_dir',
  'model',
  'processing_class',
  'train_dataset',
  'args',
];

const FIELDS: Readonly<Record<ConfigId, readonly string[]>> = {
  axolotl: AXOLOTL,
  llamafactory: LLAMA_FACTORY,
  trl: TRL,
  unsloth: UNSLOTH,
};

/** Python text without its strings and comments; throws for a string or bracket that is never closed. */
function toBarePython(text: string): string {
  const open: string[] = [];
  const bare = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, (part) => (part.startsWith('#') ? '' : 'S'));
  for (const mark of bare.matchAll(/[()[\]{}"']/g)) {
    if ('([{'.includes(mark[0])) open.push(mark[0]);
    else if (open.pop() !== { ')': '(', ']': '[', '}': '{' }[mark[0]]) throw new Error(`${mark[0]} at ${mark.index}`);
  }
  if (open.length > 0) throw new Error(`${open.join('')} is not closed`);
  return bare;
}

/** The names of the fields, flags or arguments in a config. */
function toFieldNames({ language }: ExportFormat, text: string): readonly string[] {
  if (language === 'yaml') return readYaml(text).flatMap((config) => Object.keys(config));
  if (language === 'shell')
    return toShellWords(text).flatMap((word) => (word.startsWith('--') ? [word.slice('--'.length)] : []));
  if (language === 'python')
    return [...toBarePython(text).matchAll(/(?<![\w.])([a-z_]+)=(?!=)/g)].map(([, name]) => name!);
  throw new Error(`Nothing reads the fields of ${language}.`);
}

describe('fields', () => {
  it.each(CONFIGS.map((format) => [format.id, format] as const))('are those of the trainer: %s', (id, format) => {
    const names = toFieldNames(format, format.toText(toTestInput(EVERY_WAY)));
    expect(names.length).toBeGreaterThan(EVERY_WAY.length);
    expect(FIELDS[id as ConfigId]).toEqual(expect.arrayContaining([...names]));
  });

  it('are there once for each candidate', () => {
    for (const { toText } of YAML_CONFIGS)
      expect(readYaml(toText(toTestInput(EVERY_WAY)))).toHaveLength(EVERY_WAY.length);
    const words = toShellWords(toTrlConfig(toTestInput(EVERY_WAY)));
    expect(words.filter((word) => word === '--model_name_or_path')).toHaveLength(EVERY_WAY.length);
  });

  it('of a dataset are those of Axolotl', () => {
    for (const config of readYaml(toAxolotlConfig(toTestInput(EVERY_WAY))))
      expect(Object.keys(config.datasets?.[0] ?? {})).toEqual(AXOLOTL_DATASET);
  });
});

describe('names of any kind', () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        "'",
        '\n',
        '\r',
        '---',
        '#',
        ': ',
        '- ',
        '\\',
        '$(x)',
        '`',
        '{',
        ')',
        '*/',
        ' ',
        '\u2028',
        '\u0085',
        '\ud800',
        '\u202e',
        '%%',
        'org/',
        'a',
        '😀',
        '""" ',
      ),
    }),
  );
  const withName = (name: string) =>
    toTestInput([
      toTestCandidate('k', {
        base_model_id: name,
        label: name,
        training_type: name,
        snapshot_id: name,
        origin: 'run',
        location: name,
        failure: name,
        reason_for_recommendation: `${name} ${name}`,
      }),
      toTestCandidate('second'),
    ]);

  // Candidates of such base models are left out of the formats themselves.
  const YAML_TEXTS = [
    ['axolotl', toAxolotlConfig],
    ['llamafactory', toLlamaFactoryConfig],
  ] as const;

  it('stay in their place in YAML', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        for (const [id, toText] of YAML_TEXTS) {
          const documents = readYaml(toText(withName(name)));
          const foreign = Object.keys(documents[0] ?? {}).filter((field) => !FIELDS[id].includes(field));
          const isInPlace = /^\w+\/2-qwen3/.test(String(documents[1]?.output_dir));
          if (documents.length !== 2 || foreign.length > 0 || !isInPlace) expect.fail(JSON.stringify(documents));
        }
      }),
    );
  });

  it('stay in their place in Python and in the shell', () => {
    const toParts = (name: string) =>
      [
        toBarePython(toUnslothConfig(withName(name)))
          .split('\n')
          .filter((line) => line !== ''),
        toShellWords(toTrlConfig(withName(name))),
      ] as const;
    const [plainLines, plainWords] = toParts('plain');
    fc.assert(
      fc.property(hostile, (name) => {
        const [lines, words] = toParts(name);
        if (lines.length !== plainLines.length) expect(lines).toEqual(plainLines);
        if (words.length !== plainWords.length) expect(words).toEqual(plainWords);
      }),
    );
  });
});
