// What trainers need beside the service's numbers: chat templates, which tokens count, the data's entry, what steps
// are.
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { toAxolotlConfig } from './axolotlConfig.ts';
import { BASE_MODEL_IDS, findBaseModel } from '#features/experiments/shared/baseModels.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { CONFIGS, toTestInput } from './exportFormats.fixture.ts';
import type { ExportInput } from './exportInput.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';

const of = (base_model_id: string, more: Partial<Candidate> = {}): ExportInput =>
  toTestInput([toTestCandidate('k', { base_model_id, ...more })]);
const readYaml = (text: string): unknown => parseDocument(text, { version: '1.1' }).toJS();
const flagsOf = (base_model_id: string): string => toShellWords(toTrlConfig(of(base_model_id))).join(' ');

/**
 * Of axolotl 0.18 (utils/schemas/enums.py), LLaMA-Factory 0.9.5 (data/template.py), Unsloth (chat_templates.py), as far
 * as they are of these families.
 */
const AXOLOTL = ['llama3', 'qwen_25', 'qwen3', 'gemma3', 'chatml', 'tokenizer_default'];
const LLAMA_FACTORY = ['llama3', 'qwen', 'qwen3', 'qwen3_nothink', 'gemma3', 'chatml', 'phi4_mini', 'granite4'];
const UNSLOTH = [null, 'llama-3', 'llama-3.1', 'llama-3.2', 'qwen-2.5', 'qwen3', 'gemma-3', 'chatml'];
/** Of TRL 1.10 (trl/chat_templates): those that have a `*_training.jinja`. */
const TRL_FILES = ['qwen2_5.jinja', 'qwen3.jinja'];
const MAPPED = BASE_MODEL_IDS.filter((id) => findBaseModel(id).hub !== null);

describe('a chat template', () => {
  it('of every mapped base model is one that each trainer has', () => {
    for (const id of MAPPED) {
      const { template } = findBaseModel(id);
      expect(AXOLOTL).toContain(template?.axolotl);
      expect(LLAMA_FACTORY).toContain(template?.llamaFactory);
      expect(UNSLOTH).toContain(template?.unsloth);
      if (template?.trl.from === 'file') expect(TRL_FILES).toContain(template.trl.file);
    }
    expect(MAPPED).toHaveLength(14);
    expect(['', 'acme/my-model', '__proto__', 'Qwen/Qwen3-0.6B-Base'].map((id) => findBaseModel(id).template)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('is set for a base model whose tokenizer has none', () => {
    for (const id of ['llama3.1-8b', 'meta-llama/Llama-3.1-8B']) {
      expect(readYaml(toAxolotlConfig(of(id)))).toMatchObject({
        chat_template: 'llama3',
        special_tokens: { eos_token: '<|eot_id|>', pad_token: '<|end_of_text|>' },
      });
      expect(readYaml(toLlamaFactoryConfig(of(id)))).toMatchObject({ template: 'llama3' });
      expect(toUnslothConfig(of(id))).toContain(
        '\ntokenizer = get_chat_template(tokenizer, chat_template="llama-3.1")\n',
      );
    }
  });

  it('comes from the instruct model’s tokenizer where the pretrained one has none', () => {
    expect(flagsOf('meta-llama/Llama-3.1-8B')).toContain('--chat_template_path meta-llama/Llama-3.1-8B-Instruct');
    expect(flagsOf('llama3.1-8b')).not.toContain('chat_template_path');
    expect(flagsOf('llama3.1-8b')).toContain('--eos_token <|eot_id|>');
  });

  it('that is in the tokenizer stays in TRL and in Unsloth, with the end of a turn', () => {
    for (const [id, end, mark] of [
      ['phi-4-mini', '<|end|>', '<|assistant|>'],
      ['granite-4.0-h-1b', '<|end_of_text|>', '<|start_of_role|>assistant<|end_of_role|>'],
    ] as const) {
      expect(flagsOf(id)).toContain(`--eos_token ${end}`);
      expect(flagsOf(id)).not.toContain('chat_template_path');
      expect(toUnslothConfig(of(id))).not.toContain('get_chat_template');
      expect(toUnslothConfig(of(id))).toContain(`response_part="${mark}")`);
      expect(readYaml(toAxolotlConfig(of(id)))).toMatchObject({
        chat_template: 'tokenizer_default',
        special_tokens: { eos_token: end },
      });
    }
  });

  it('that TRL has is taken from where TRL is installed, so that it masks prompts', () => {
    for (const [id, file] of [
      ['qwen2.5-7b', 'qwen2_5.jinja'],
      ['qwen3-14b', 'qwen3.jinja'],
    ] as const) {
      expect(toTrlConfig(of(id))).toContain(`\nTRL_TEMPLATES="$(python -c 'import os, trl; `);
      expect(flagsOf(id)).toContain(
        `--chat_template_path $TRL_TEMPLATES/${file} --eos_token <|im_end|> --assistant_only_loss true`,
      );
    }
    expect(toTrlConfig(of('llama3.1-8b'))).not.toContain('TRL_TEMPLATES');
  });

  it('that is not known is said to be so', () => {
    expect(readYaml(toAxolotlConfig(of('gemma3-1b')))).not.toHaveProperty('chat_template');
    for (const toText of [toAxolotlConfig, toLlamaFactoryConfig, toTrlConfig])
      expect(toText(of('gemma3-1b'))).toMatch(/^# (chat_)?template(_path)?: not known for this base model;/m);
    const cell = toUnslothConfig(of('gemma3-1b'));
    expect(cell).toContain('\nassert tokenizer.chat_template, ');
    expect(cell).not.toMatch(/^from unsloth.chat_templates/m);
  });
});

describe('the loss', () => {
  const lossOf = (toText: (input: ExportInput) => string, id: string) => toText(of(id)).match(/^# Loss: [^:,]*/gm);

  it('stands in one line, and is of the assistant alone wherever a trainer can', () => {
    for (const { toText } of CONFIGS)
      expect(lossOf(toText, 'qwen3-0.6b')).toEqual(["# Loss: the assistant's turns alone"]);
    for (const toText of [toAxolotlConfig, toLlamaFactoryConfig])
      expect(lossOf(toText, 'gemma3-1b')).toEqual(["# Loss: the assistant's turns alone"]);
    for (const toText of [toTrlConfig, toUnslothConfig])
      expect(lossOf(toText, 'gemma3-1b')).toEqual(['# Loss: every token']);
    expect(flagsOf('qwen3-0.6b')).toContain('--assistant_only_loss true');
  });

  it('is of every token in TRL where it would refuse to mask the template', () => {
    for (const id of ['llama3.1-8b', 'llama3.2-1b', 'phi-4-mini', 'gemma3-1b']) {
      expect(lossOf(toTrlConfig, id)).toEqual(['# Loss: every token']);
      expect(flagsOf(id)).not.toContain('assistant_only_loss');
    }
  });

  it('is masked in Unsloth by the marks of the template', () => {
    expect(toUnslothConfig(of('llama3.1-8b'))).toContain(
      String.raw`train_on_responses_only(trainer, instruction_part="<|start_header_id|>user<|end_header_id|>\n\n", response_part="<|start_header_id|>assistant<|end_header_id|>\n\n")`,
    );
    expect(toUnslothConfig(of('qwen3-0.6b'))).toContain(
      String.raw`instruction_part="<|im_start|>user\n", response_part="<|im_start|>assistant\n")`,
    );
  });
});

it('Unsloth comes before the libraries that it patches, and TRL is given the tokenizer by its present name', () => {
  for (const id of ['qwen3-0.6b', 'gemma3-1b']) {
    const modules = [...toUnslothConfig(of(id)).matchAll(/^from (\w+)/gm)].map((match) => match[1]);
    expect(modules.findIndex((name) => name !== 'unsloth')).toBe(modules.lastIndexOf('unsloth') + 1);
    expect(toUnslothConfig(of(id))).toContain('processing_class=tokenizer');
  }
});

it('all trainers adapt all linear layers', () => {
  for (const training_type of ['lora', 'qlora']) {
    expect(readYaml(toAxolotlConfig(of('llama3.1-8b', { training_type })))).toMatchObject({ lora_target_linear: true });
    expect(readYaml(toLlamaFactoryConfig(of('llama3.1-8b', { training_type })))).toMatchObject({ lora_target: 'all' });
    expect(toShellWords(toTrlConfig(of('llama3.1-8b', { training_type }))).join(' ')).toContain(
      '--lora_target_modules all-linear',
    );
    expect(toUnslothConfig(of('llama3.1-8b', { training_type }))).toContain('"down_proj"');
  }
  expect(toTrlConfig(of('llama3.1-8b', { training_type: 'full' }))).not.toContain('lora_target_modules');
});

it('a large batch is made of small parts', () => {
  const large = of('llama3.1-8b', { training_type: 'full', batch_size: 64 });
  expect(readYaml(toAxolotlConfig(large))).toMatchObject({ micro_batch_size: 4, gradient_accumulation_steps: 16 });
  expect(readYaml(toLlamaFactoryConfig(large))).toMatchObject({
    per_device_train_batch_size: 4,
    gradient_accumulation_steps: 16,
  });
  expect(toShellWords(toTrlConfig(large)).join(' ')).toContain(
    '--per_device_train_batch_size 4 --gradient_accumulation_steps 16',
  );
  expect(toUnslothConfig(large)).toMatch(/per_device_train_batch_size=4, .*\n {4}gradient_accumulation_steps=16,/);
  for (const { toText } of CONFIGS) {
    expect(toText(large)).toContain("4 x 16 = the service's batch size of 64, on one device");
    expect(toText(large)).toMatch(/2048.*/);
    expect(toText(large)).toContain("not the service's advice: set it to the length of your longest row");
  }
});

it('LLaMA-Factory is told which entry its list of datasets needs', () => {
  const text = toLlamaFactoryConfig(of('qwen3-0.6b'));
  const line = text.split('\n').find((entry) => entry.startsWith('# "training": ')) ?? '';
  // Keys of its data/README.md, "OpenAI Format".
  expect(JSON.parse(`{${line.slice(2)}}`)).toEqual({
    training: {
      file_name: 'training.jsonl',
      formatting: 'sharegpt',
      columns: { messages: 'messages' },
      tags: {
        role_tag: 'role',
        content_tag: 'content',
        user_tag: 'user',
        assistant_tag: 'assistant',
        system_tag: 'system',
      },
    },
  });
});

it('a run that went on from another one starts from those weights, never from its base model', () => {
  const toOf = (from: string | null) =>
    toTestCandidate('k', { extras: [{ name: 'refinetune_from_experiment_id', kind: 'text', value: from }] });
  for (const { toText, findGap } of CONFIGS) {
    const text = toText(toTestInput([toOf('7c1e')]));
    const settings = text.replaceAll(/#.*$/gm, '');
    expect(settings).not.toContain('Qwen/');
    expect(text).toContain('experiment 7c1e: take those, merged into their base model, not Qwen/Qwen3-0.6B');
    expect(findGap(toTestInput([toOf('7c1e')]))).toContain('the base model');
    expect(toText(toTestInput([toOf(null)]))).toContain('Qwen/Qwen3-0.6B');
  }
  const both = toShellWords(toTrlConfig(toTestInput([toOf('7c1e'), toOf('8d2f'), toOf(null)]))).join(' ');
  for (const name of ['BASE_MODEL_1:?', 'BASE_MODEL_2:?']) expect(both).toContain(`--model_name_or_path \${${name}`);
});

describe('steps', () => {
  it('of a reason are said to be of packed rows, with what they are here', () => {
    const reasoned = of('qwen3-0.6b', { reason_for_recommendation: '3 epochs, about 473 steps.' });
    for (const { toText } of CONFIGS) {
      expect(toText(reasoned)).toContain(
        '# > 3 epochs, about 473 steps.\n# steps in that text are as the service counts them: ',
      );
      expect(toText(reasoned)).toContain('# this config packs no rows: about 3 x rows / 8 steps\n');
    }
  });

  it('are not spoken of where the reason does not, nor worked out of what is not given', () => {
    for (const { toText } of CONFIGS) {
      expect(toText(of('qwen3-0.6b', { reason_for_recommendation: 'Close to full training.' }))).not.toContain(
        'packs no rows',
      );
      expect(toText(of('qwen3-0.6b', { reason_for_recommendation: '473 steps', n_epochs: null }))).toContain(
        '# this config packs no rows\n',
      );
    }
  });
});
