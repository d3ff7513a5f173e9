// The rows that trainers read: validation rows become the eval split, and tools of a row are never lost.
import { describe, expect, it } from 'vitest';
import { toAxolotlConfig } from './axolotlConfig.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { CONFIGS, readYaml, toTestInput } from './exportFormats.fixture.ts';
import type { ExportInput } from './exportInput.ts';
import { toLlamaFactoryConfig } from './llamaFactoryConfig.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { findConfigGap } from '#features/experiments/shared/trainingFacts.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';
import { toValidationCounts } from '#features/experiments/shared/validationCounts.ts';

const of = (validation: readonly (readonly [string, number])[], ...candidates: readonly Candidate[]): ExportInput =>
  toTestInput(candidates, { snapshot_id: null, validation: new Map(validation) });
const one = toTestCandidate('a', { snapshot_id: 's1' });
const two = toTestCandidate('b', { snapshot_id: 's2' });

describe('validation rows', () => {
  const some = of([['s1', 200]], one);

  it('are what Axolotl evaluates on', () => {
    expect(readYaml(toAxolotlConfig(some))[0]).toMatchObject({
      datasets: [{ path: 'training.jsonl', ds_type: 'json', type: 'chat_template', field_tools: 'tools' }],
      test_datasets: [
        {
          path: 'validation.jsonl',
          ds_type: 'json',
          type: 'chat_template',
          field_messages: 'messages',
          field_tools: 'tools',
          split: 'train',
        },
      ],
      eval_strategy: 'epoch',
    });
    expect(toAxolotlConfig(some)).toContain('put the 200 validation rows of snapshot s1 here');
  });

  it('are what LLaMA-Factory evaluates on, with an entry of their own', () => {
    const text = toLlamaFactoryConfig(some);
    expect(readYaml(text)[0]).toMatchObject({
      dataset: 'training',
      eval_dataset: 'validation',
      eval_strategy: 'epoch',
      per_device_eval_batch_size: 4,
    });
    expect(text).toMatch(/^# "validation": \{"file_name":"validation\.jsonl",/m);
  });

  it('are what TRL evaluates on', () => {
    expect(toShellWords(toTrlConfig(some)).join(' ')).toContain(
      '--dataset_test_split validation --eval_strategy epoch --per_device_eval_batch_size 4',
    );
    expect(toTrlConfig(some)).toContain('and the validation rows as validation.jsonl}"');
    expect(toTrlConfig(some)).toContain('# DATASET: the training rows and the 200 validation rows of snapshot s1');
  });

  it('are what Unsloth evaluates on', () => {
    for (const part of [
      '\nEVAL_DATA = "validation.jsonl"  #',
      '\n    eval_strategy="epoch",\n    per_device_eval_batch_size=4,\n',
      '\n    eval_dataset=read_rows(EVAL_DATA),\n',
    ])
      expect(toUnslothConfig(some)).toContain(part);
  });

  it('are not spoken of where there are none, or none are known', () => {
    for (const none of [of([], one), of([['s1', 0]], one), of([['s2', 5]], one)]) {
      for (const { toText } of CONFIGS)
        expect(toText(none)).not.toMatch(/eval_|EVAL|test_datasets|test_split|validation/);
    }
  });

  it('are each snapshot’s own', () => {
    const both = of([['s2', 5]], one, two);
    expect(readYaml(toAxolotlConfig(both)).map((config) => config['test_datasets'])).toEqual([
      undefined,
      [expect.objectContaining({ path: 'validation-2.jsonl' })],
    ]);
    expect(readYaml(toLlamaFactoryConfig(both)).map((config) => config['eval_dataset'])).toEqual([
      undefined,
      'validation_2',
    ]);
  });

  it('are counted in the tree, where a snapshot has any', () => {
    const node = (type: string, id: string, metadata = {}, children: readonly ReturnType<typeof leaf>[] = []) => ({
      id,
      type,
      label: id,
      metadata,
      children,
    });
    const leaf = (id: string, validation_count: unknown) => ({
      id,
      type: 'snapshot',
      label: id,
      metadata: { validation_count },
      children: [],
    });
    const tree = node('project', 'p', {}, [leaf('s1', 200), leaf('s2', 0), leaf('s3', 'many'), leaf('s4', undefined)]);
    expect([...toValidationCounts(tree)]).toEqual([['s1', 200]]);
  });
});

describe('the files that the studio offers', () => {
  const rowFiles = new Map(
    ['s1', 's2'].map((id) => [
      id,
      { training: `tickets-${id}.training.jsonl`, validation: `tickets-${id}.validation.jsonl` },
    ]),
  );
  const some = { ...of([['s1', 200]], one), rowFiles };

  it('are laid into folders of their own where two models need them in other forms', () => {
    const toFolder = (base_model_id: string): string | undefined =>
      /--dataset_name (\S+)/.exec(
        toTrlConfig({ ...some, candidates: [toTestCandidate('m', { snapshot_id: 's1', base_model_id })] }),
      )?.[1];
    // One masks by its template, the other's rows are split into prompts and completions.
    const folders = ['qwen3-0.6b', 'llama3.2-1b'].map((id) => toFolder(id)?.replace(/^.*\./, ''));
    expect(folders).toEqual(['messages', 'prompt-completion']);
  });

  it('are the files that every config reads, by their names', () => {
    const [train, evaluate] = ['tickets-s1.training.jsonl', 'tickets-s1.validation.jsonl'];
    expect(readYaml(toAxolotlConfig(some))[0]).toMatchObject({
      datasets: [{ path: train }],
      test_datasets: [{ path: evaluate }],
    });
    expect(toLlamaFactoryConfig(some)).toContain(`# "training": {"file_name":"${train}"`);
    expect(toLlamaFactoryConfig(some)).toContain(`# "validation": {"file_name":"${evaluate}"`);
    expect(toUnslothConfig(some)).toContain(`\nDATA = "${train}"  #`);
    expect(toUnslothConfig(some)).toContain(`\nEVAL_DATA = "${evaluate}"  #`);
    const words = toShellWords(toTrlConfig(some));
    expect(words.join(' ')).toContain(
      `mkdir -p rows/tickets-s1.messages python -c $LAY_ROWS ${train} rows/tickets-s1.messages/training.jsonl ${evaluate} rows/tickets-s1.messages/validation.jsonl trl sft `,
    );
    expect(words.join(' ')).toContain('--dataset_name rows/tickets-s1.messages ');
    for (const { toText } of CONFIGS) {
      expect(toText(some)).toContain("as the studio's Download menu gives them");
      expect(toText(some)).not.toMatch(/put the [tv\d]|set DATASET|one JSON object/);
    }
  });

  it('are each snapshot’s own, and one without validation rows has no such file', () => {
    const both = { ...of([['s1', 5]], one, two), rowFiles };
    for (const { toText } of CONFIGS) {
      for (const name of ['s1.training', 's2.training', 's1.validation'])
        expect(toText(both)).toContain(`tickets-${name}`);
      expect(toText(both)).not.toContain('tickets-s2.validation');
    }
  });

  it('are what is left to do', () => {
    expect(findConfigGap(some)).toBe(
      'Put tickets-s1.training.jsonl and tickets-s1.validation.jsonl beside it: the Download menu has them.',
    );
    expect(findConfigGap({ ...some, rowFiles: new Map() })).toBe('Fill in the training data: comments say where.');
  });
});

describe('tools of a row', () => {
  it('are in the text that Unsloth trains on', () => {
    expect(toUnslothConfig(of([], one))).toContain(
      'tokenizer.apply_chat_template(row["messages"], tools=row.get("tools"), tokenize=False)',
    );
  });

  it('have an entry for LLaMA-Factory that reads them, calls and results', () => {
    const lines = toLlamaFactoryConfig(of([['s1', 1]], one))
      .split('\n')
      .filter((line) => /^# "(training|validation)"/.test(line));
    const entries = lines.map(
      (line) =>
        Object.entries(
          JSON.parse(`{${line.slice(2)}}`) as Record<string, { formatting: string; columns: object; tags: object }>,
        )[0],
    );
    expect(entries.map((entry) => [entry?.[0], entry?.[1].formatting])).toEqual([
      ['training', 'sharegpt'],
      ['validation', 'sharegpt'],
      ['training', 'openai'],
      ['validation', 'openai'],
    ]);
    expect(entries[2]?.[1].columns).toEqual({ messages: 'messages', tools: 'tools' });
    expect(entries[2]?.[1].tags).toEqual({
      role_tag: 'role',
      content_tag: 'content',
      user_tag: 'user',
      assistant_tag: 'assistant',
      system_tag: 'system',
      observation_tag: 'tool',
      function_tag: 'function',
    });
  });
});

it('the config for LLaMA-Factory says when only the last answer of a row is learnt', () => {
  const line = toLlamaFactoryConfig(of([], one))
    .split('\n')
    .find((text) => text.startsWith('mask_history'));
  expect(line).toMatch(/^mask_history: false\s+# write true for rows downloaded in its form/);
});
