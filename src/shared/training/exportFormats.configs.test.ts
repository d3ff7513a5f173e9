import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { toAxolotlConfig } from './axolotlConfig.ts';
import { BASE_MODEL_IDS, findBaseModel } from './baseModels.ts';
import type { Candidate } from './candidates.ts';
import { toConfigNumber, toSlug } from './configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { toTestCandidate } from './candidate.fixture.ts';
import { toShellWords } from './shell.fixture.ts';
import { findConfigGap } from './trainingFacts.ts';
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
  'output_dir',
];
const AXOLOTL_DATASET = ['path', 'ds_type', 'type', 'field_messages'];
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
  'lora_target',
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
  'lora_target_modules',
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
  'target_modules',
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

const input = (candidates: readonly Candidate[], more: Partial<ExportInput> = {}): ExportInput => ({
  snapshot_id: 'snap',
  name: 'First round',
  candidates,
  rate: { means: 'rate', saidBy: 'service' },
  validation: new Map(),
  baseUrl: 'https://studio.example.com',
  isRemote: false,
  takesJobs: true,
  ...more,
});
const WAYS = ['full', 'lora', 'qlora', 'dora', null];
const every = WAYS.flatMap((training_type) => [
  toTestCandidate(`${training_type}`, { training_type, base_model_id: 'qwen3-0.6b' }),
  toTestCandidate(`${training_type}?`, {
    training_type,
    base_model_id: 'support-base',
    n_epochs: null,
    batch_size: 2.5,
    learning_rate_multiplier: -1,
  }),
]);

type Config = Record<string, unknown> & { datasets?: Record<string, unknown>[] };

/** What stands where a learning rate is still to be set: no parser takes it. */
const RATE_ALIAS = /\*set_the_learning_rate__[\w-]+/g;

function readYaml(text: string): Config[] {
  // PyYAML, which the trainers use, follows 1.1.
  const set = text.replaceAll(RATE_ALIAS, '1');
  return [...parseAllDocuments(set, { version: '1.1' })].map((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0]!;
    return ('toJS' in document ? document.toJS() : null) as Config;
  });
}

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

describe('fields', () => {
  it('are those of Axolotl', () => {
    const documents = readYaml(toAxolotlConfig(input(every)));
    expect(documents).toHaveLength(every.length);
    for (const config of documents) {
      expect(AXOLOTL).toEqual(expect.arrayContaining(Object.keys(config)));
      expect(Object.keys(config.datasets?.[0] ?? {})).toEqual(AXOLOTL_DATASET);
    }
  });

  it('are those of LLaMA-Factory', () => {
    for (const config of readYaml(toLlamaFactoryConfig(input(every))))
      expect(LLAMA_FACTORY).toEqual(expect.arrayContaining(Object.keys(config)));
  });

  it('are those of TRL', () => {
    const flags = toShellWords(toTrlConfig(input(every))).filter((word) => word.startsWith('--'));
    expect(TRL.map((name) => `--${name}`)).toEqual(expect.arrayContaining(flags));
    expect(flags.filter((flag) => flag === '--model_name_or_path')).toHaveLength(every.length);
  });

  it('are those of Unsloth', () => {
    const names = [...toBarePython(toUnslothConfig(input(every))).matchAll(/(?<![\w.])([a-z_]+)=(?!=)/g)].map(
      (match) => match[1],
    );
    expect(UNSLOTH).toEqual(expect.arrayContaining(names));
  });
});

describe('values', () => {
  const of = (training_type: string | null, more: Partial<Candidate> = {}) =>
    input([toTestCandidate('k', { training_type, ...more })]);

  it('are what the service gave', () => {
    expect(readYaml(toAxolotlConfig(of('lora')))[0]).toEqual({
      base_model: 'Qwen/Qwen3-0.6B',
      adapter: 'lora',
      lora_r: 16,
      lora_alpha: 32,
      lora_target_linear: true,
      chat_template: 'qwen3',
      special_tokens: { eos_token: '<|im_end|>' },
      sequence_len: 2048,
      datasets: [{ path: 'training.jsonl', ds_type: 'json', type: 'chat_template', field_messages: 'messages' }],
      num_epochs: 3,
      micro_batch_size: 4,
      gradient_accumulation_steps: 2,
      learning_rate: 2e-4,
      bf16: 'auto',
      gradient_checkpointing: true,
      output_dir: 'outputs/1-qwen3-0-6b-lora-1',
    });
    expect(readYaml(toLlamaFactoryConfig(of('full')))[0]).toMatchObject({
      model_name_or_path: 'Qwen/Qwen3-0.6B',
      finetuning_type: 'full',
      template: 'qwen3',
      learning_rate: 2e-4,
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 2,
    });
    expect(toShellWords(toTrlConfig(of('lora'))).join(' ')).toContain(
      '--use_peft --lora_r 16 --lora_alpha 32 --lora_target_modules all-linear --num_train_epochs 3 ' +
        '--per_device_train_batch_size 4 --gradient_accumulation_steps 2',
    );
    expect(toUnslothConfig(of('full'))).toContain('    full_finetuning=True,');
    expect(toUnslothConfig(of('full'))).not.toContain('get_peft_model');
  });

  it('make QLoRA four bits wide', () => {
    expect(readYaml(toAxolotlConfig(of('qlora')))[0]).toMatchObject({ adapter: 'qlora', load_in_4bit: true });
    expect(readYaml(toLlamaFactoryConfig(of('qlora')))[0]).toMatchObject({
      finetuning_type: 'lora',
      quantization_bit: 4,
    });
    expect(toShellWords(toTrlConfig(of('qlora')))).toContain('--load_in_4bit');
    expect(toUnslothConfig(of('qlora'))).toContain('load_in_4bit=True');
  });

  it('take no other field for the rank, and say whose each number is', () => {
    const given = (name: string) => [{ name, kind: 'number' as const, value: 3 }];
    for (const name of ['rank', 'alpha'])
      expect(toTrlConfig(of('lora', { extras: given(name) }))).toContain('--lora_r 16 \\\n  --lora_alpha 32');
    const own = toTrlConfig(of('lora', { extras: given('lora_alpha') }));
    expect(own).toContain('--lora_r 16 \\\n  --lora_alpha 3 ');
    expect(own).not.toContain("these are TRL's defaults");
    expect(own).toContain("alpha is the service's");
  });

  it('name what has to be installed', () => {
    expect(toTrlConfig(of('qlora'))).toContain('pip install "trl[peft]>=1.1" bitsandbytes,');
    expect(toTrlConfig(of('lora'))).not.toContain('bitsandbytes');
  });

  it('take the rank that the service gave', () => {
    const extras = [{ name: 'lora_rank', kind: 'number' as const, value: 64 }];
    expect(readYaml(toAxolotlConfig(of('lora', { extras })))[0]).toMatchObject({ lora_r: 64, lora_alpha: 128 });
    expect(toAxolotlConfig(of('lora', { extras }))).not.toContain('gave no rank');
    expect(toAxolotlConfig(of('lora'))).toContain('gave no rank');
  });

  it('are a comment where nothing usable was given', () => {
    const empty = of('dora', {
      base_model_id: 'support-base',
      n_epochs: null,
      batch_size: 0,
      learning_rate_multiplier: null,
    });
    for (const toText of [toAxolotlConfig, toLlamaFactoryConfig, toTrlConfig, toUnslothConfig]) {
      const text = toText(empty);
      for (const part of [
        'support-base',
        '"dora" has no counterpart here',
        'epochs: not given',
        toText === toUnslothConfig ? 'LEARNING_RATE = None  # not given' : 'learning_rate: not given',
        'the service gave 0, which is not a batch size',
      ])
        expect(text).toContain(part);
    }
    expect(readYaml(toAxolotlConfig(empty))[0]).not.toHaveProperty('base_model');
    expect(toTrlConfig(empty)).toContain('${BASE_MODEL:?');
  });

  it('say what is left to do', () => {
    expect(findConfigGap(of('lora'))).toBe('Fill in the training data: comments say where.');
    expect(findConfigGap(input(every))).toBe(
      'Fill in the training data, the base model of 5, the learning rate of 5, the number of epochs of 5, the ' +
        'batch size of 5 and the way of training of 4: comments say where.',
    );
    expect(findConfigGap(input([]))).toBeNull();
  });
});

describe('several snapshots and base models', () => {
  const mixed = input(
    [
      toTestCandidate('a', { snapshot_id: 's1', base_model_id: 'small-base' }),
      toTestCandidate('b', { snapshot_id: 's2', base_model_id: 'large-base' }),
      toTestCandidate('c', { snapshot_id: 's1', base_model_id: 'qwen3-0.6b' }),
    ],
    { snapshot_id: null },
  );

  it('have a variable or file of their own', () => {
    const words = toShellWords(toTrlConfig(mixed)).join(' ');
    expect([...words.matchAll(/\$\{(\w+):\?/g)].map((match) => match[1])).toEqual([
      'BASE_MODEL_1',
      'DATASET_1',
      'BASE_MODEL_2',
      'DATASET_2',
      'DATASET_1',
    ]);
    expect(toTrlConfig(mixed)).toContain('then set BASE_MODEL_1, BASE_MODEL_2, DATASET_1, DATASET_2 and run');
    expect(toTrlConfig(mixed)).toContain('# DATASET_2: the training rows of snapshot s2');
    expect(toTrlConfig(mixed)).toContain('# BASE_MODEL_2: the studio calls it "large-base"');
    expect(readYaml(toAxolotlConfig(mixed)).map(({ datasets }) => datasets?.[0]?.['path'])).toEqual([
      'training-1.jsonl',
      'training-2.jsonl',
      'training-1.jsonl',
    ]);
    expect(readYaml(toLlamaFactoryConfig(mixed)).map((config) => config['dataset'])).toEqual([
      'training_1',
      'training_2',
      'training_1',
    ]);
    expect(toUnslothConfig(mixed).match(/^DATA = "[^"]*"/gm)).toEqual([
      'DATA = "training-1.jsonl"',
      'DATA = "training-2.jsonl"',
      'DATA = "training-1.jsonl"',
    ]);
  });

  it('need no number where there is one of each', () => {
    const one = toTrlConfig(
      input([
        toTestCandidate('a', { base_model_id: 'small-base' }),
        toTestCandidate('b', { base_model_id: 'small-base' }),
      ]),
    );
    expect(one).toContain('then set BASE_MODEL, DATASET and run');
    expect(one).not.toMatch(/DATASET_|BASE_MODEL_/);
  });
});

it('every config says what the service does not give', () => {
  const line = "# not given by the service: scheduler, warm-up, seed, packing; your trainer's defaults apply";
  const seeded = [toTestCandidate('a', { extras: [{ name: 'seed', kind: 'number', value: 7 }] })];
  for (const toText of [toAxolotlConfig, toLlamaFactoryConfig, toTrlConfig, toUnslothConfig]) {
    expect(toText(input(every)).split(line)).toHaveLength(every.length + 1);
    expect(toText(input(seeded))).toContain('# not given by the service: scheduler, warm-up, packing;');
  }
});

describe('what is said of a candidate', () => {
  const FORMATS = [toAxolotlConfig, toLlamaFactoryConfig, toTrlConfig, toUnslothConfig] as const;

  it('is why the service recommends it, in lines of usual width', () => {
    const reason = `Choose LoRA: it is close to full training. ${'Rates follow from the formula. '.repeat(8)}`;
    const of = input([
      toTestCandidate('k', { recommended: true, reason_for_recommendation: reason }),
      toTestCandidate('m', { origin: 'model', reason_for_recommendation: ' ' }),
    ]);
    for (const toText of FORMATS) {
      const lines = toText(of).split('\n');
      const quoted = lines.filter((line) => line.startsWith('# > '));
      expect(lines.indexOf('# why the service recommends this:') + 1).toBe(lines.indexOf(quoted[0] ?? ''));
      expect(quoted.map((line) => line.slice(4)).join(' ')).toBe(reason.trim());
      expect(quoted.length).toBeGreaterThan(2);
      for (const line of quoted) expect(line.length).toBeLessThanOrEqual(100);
      expect(lines.filter((line) => line.includes('why the service'))).toHaveLength(1);
    }
  });

  it('is of the base model where the service speaks of that', () => {
    const of = input([
      toTestCandidate('k', { origin: 'model', recommended: true, reason_for_recommendation: 'Small.' }),
      toTestCandidate('p', { reason_for_recommendation: 'Higher rate.' }),
    ]);
    for (const toText of FORMATS) {
      expect(toText(of)).toContain('# why the service recommends this base model:\n# > Small.\n');
      expect(toText(of)).toContain('# why the service lists this:\n# > Higher rate.\n');
    }
  });

  it('is what came of it, where it was already run', () => {
    const of = input([
      toTestCandidate('a', { origin: 'run', status: 'succeeded' }),
      toTestCandidate('b', { origin: 'run', status: 'failed', failure: 'loss is\nnot finite' }),
      toTestCandidate('c', { n_epochs: 4 }),
    ]);
    for (const toText of FORMATS)
      expect(toText(of).match(/^# already run.*$/gm)).toEqual([
        '# already run: succeeded',
        '# already run: failed: loss is not finite',
      ]);
  });

  it('begins no notebook cell and gives the file no encoding', () => {
    const text = '%% %% '.repeat(60);
    const cells = toUnslothConfig(
      input([
        toTestCandidate('k', {
          label: 'coding: utf-7',
          origin: 'run',
          reason_for_recommendation: `coding: utf-7 ${text}`,
          failure: '%% x',
        }),
      ]),
    );
    expect(cells.match(/^#\s*%%/gm)).toHaveLength(1);
    expect(cells.split('\n').slice(0, 2).join('\n')).not.toMatch(/coding[:=]/);
  });
});

describe('names of any kind', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
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
    input([
      toTestCandidate('k', {
        base_model_id: name,
        label: name,
        training_type: name,
        snapshot_id: name,
        origin: 'run',
        home: name,
        failure: name,
        reason_for_recommendation: `${name} ${name}`,
      }),
      toTestCandidate('second'),
    ]);

  it('stay in their place in YAML', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        for (const toText of [toAxolotlConfig, toLlamaFactoryConfig]) {
          const documents = readYaml(toText(withName(name)));
          expect(documents).toHaveLength(2);
          expect([...AXOLOTL, ...LLAMA_FACTORY]).toEqual(expect.arrayContaining(Object.keys(documents[0] ?? {})));
          expect(documents[1]).toMatchObject({ output_dir: expect.stringMatching(/^\w+\/2-qwen3/) });
        }
      }),
    );
  });

  it('stay in their place in Python and in the shell', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const python = toUnslothConfig(withName(name));
        const bare = toBarePython(python);
        const toCode = (text: string) => text.split('\n').filter((line) => line !== '');
        expect(toCode(bare)).toHaveLength(toCode(toBarePython(toUnslothConfig(withName('plain')))).length);
        const words = toShellWords(toTrlConfig(withName(name)));
        expect(words).toHaveLength(toShellWords(toTrlConfig(withName('plain'))).length);
      }),
    );
  });
});

describe('base models', () => {
  const hubs = (ids: readonly string[]) => ids.map((id) => findBaseModel(id).hub);

  it('have a name on the hub only where it is certain', () => {
    expect(hubs(['qwen3-0.6b', 'qwen2.5-7b', 'llama3.1-8b', 'phi-4-mini', 'acme/my-model_1.0'])).toEqual([
      'Qwen/Qwen3-0.6B',
      'Qwen/Qwen2.5-7B',
      'meta-llama/Llama-3.1-8B',
      'microsoft/Phi-4-mini-instruct',
      'acme/my-model_1.0',
    ]);
    expect(hubs(['support-base', 'gemma3-1b', '__proto__', '../etc/x', 'a/b/c', 'a/b\n', ''])).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('are known by that name too', () => {
    for (const id of BASE_MODEL_IDS) {
      const model = findBaseModel(id);
      if (model.hub !== null) expect(findBaseModel(model.hub)).toBe(model);
    }
  });

  it('have a name, a template and no doubt, or neither and the reason for it, in each file', () => {
    expect(BASE_MODEL_IDS).toHaveLength(19);
    for (const id of BASE_MODEL_IDS) {
      const { hub, doubt, template } = findBaseModel(id);
      expect([hub === null, template === null]).toEqual([doubt !== null, doubt !== null]);
      for (const toText of [toAxolotlConfig, toLlamaFactoryConfig, toTrlConfig, toUnslothConfig])
        expect(toText(input([toTestCandidate('k', { base_model_id: id })]))).toContain(hub ?? `"${id}" (${doubt})`);
    }
    expect(findBaseModel('smollm-135m').doubt).toBe(
      'it may be HuggingFaceTB/SmolLM-135M or HuggingFaceTB/SmolLM2-135M',
    );
  });
});

it('numbers keep their digits and are numbers in YAML 1.1', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = toConfigNumber(value);
      expect(Number(text)).toBe(value === 0 ? 0 : value);
      expect(text).toMatch(/^-?(\d+|\d+\.\d*(e[-+]\d+)?)$/);
    }),
  );
  expect([2e-7, 1e21, 0.0002, 3].map(toConfigNumber)).toEqual(['2.0e-7', '1.0e+21', '0.0002', '3']);
});

it('folders are named by plain letters', () => {
  expect([toSlug(1, 'qwen3-0.6b · LoRA'), toSlug(2, '../..'), toSlug(3, 'x'.repeat(90))]).toEqual([
    '1-qwen3-0-6b-lora',
    '2',
    `3-${'x'.repeat(48)}`,
  ]);
});
