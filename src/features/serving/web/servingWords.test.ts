import { describe, expect, it } from 'vitest';
import type { RunCheckpoint } from '#features/runs/shared/runs.ts';
import {
  toActionText,
  toBaseHint,
  toBaseId,
  toBaseNote,
  toFileText,
  toFirstCheckpoint,
  toTriedModels,
  toWayGroups,
  toWorkText,
} from './servingWords.ts';

const FITTING = { id: 'qwen', has_fitting_name: true, reason: null, notes: [] };
const OTHER = { id: 'llama', has_fitting_name: false, reason: null, notes: [] };

it('tells ways that a press takes from commands and from servers that can’t take the weights, a reason once', () => {
  const llama = { title: 'llama.cpp', way: 'llama', reason: 'It is DoRA.' } as const;
  const command = { title: 'vLLM', way: 'command', reason: null, command: 'vllm serve' } as const;
  const refused = (title: string, reason: string) => ({ title, way: 'command', reason }) as const;
  const ways = [command, llama, refused('SGLang', 'No.'), refused('Ollama', 'No.'), refused('Other', 'It is DoRA.')];
  expect(toWayGroups({ ways })).toEqual({
    here: [llama],
    commands: [command],
    refused: [
      { titles: 'SGLang, Ollama', reason: 'No.' },
      { titles: 'Other', reason: 'Not possible, for the same reason.' },
    ],
  });
});

describe('the base', () => {
  it('is the chosen one while it is offered, else the first', () => {
    expect(toBaseId([FITTING, OTHER], 'llama')).toBe('llama');
    expect(toBaseId([FITTING, OTHER], 'gone')).toBe('qwen');
    expect(toBaseId([FITTING, OTHER], null)).toBe('qwen');
    expect(toBaseId([], 'qwen')).toBeUndefined();
  });

  it.each([
    [[FITTING, OTHER], 'qwen', 'Qwen/qwen', /^Its name matches .*, Qwen\/qwen\.$/],
    [[FITTING, OTHER], 'llama', 'Qwen/qwen', /another model has that name/],
    [[OTHER], 'llama', 'Qwen/qwen', /No model has the name .*, Qwen\/qwen\./],
    [[OTHER], 'llama', null, /records no base model/],
  ])('has a note that says how sure it is: %j, %s of %s', (bases, id, baseModel, note) => {
    expect(toBaseNote(bases, id, baseModel)).toMatch(note);
  });

  it('says in the list that a name fits, and rather that it is another model', () => {
    expect(toBaseHint(FITTING)).toEqual({ hint: 'matching name' });
    expect(toBaseHint({ ...FITTING, reason: 'It has another tokenizer.' })).toEqual({ hint: 'another model' });
    expect(toBaseHint(OTHER)).toEqual({});
  });

  it('has no note where none is to be chosen', () => expect(toBaseNote([], undefined, 'Qwen/qwen')).toBe(''));
});

it('says what a press does and what goes on, for each way', () => {
  expect([toActionText('llama'), toActionText('engine')]).toEqual(['Convert and chat', 'Load and chat']);
  expect(toWorkText('llama', 'qwen')).toMatch(/^The weights are being converted for qwen\. .*close/);
  expect(toWorkText('engine', undefined)).toMatch(/^The server is loading the adapter\. /);
});

describe('the models that open', () => {
  it.each([
    ['qwen', [{ id: 'qwen' }, { id: 'run' }], ['run', 'qwen']],
    ['gone', [{ id: 'qwen' }], ['run']],
    ['run', [{ id: 'run' }], ['run']],
    [null, [{ id: 'qwen' }], ['run']],
    ['qwen', null, ['run']],
  ])('are the served one, and its base %s if it is there', (base, models, expected) => {
    expect(toTriedModels('run', base, models)).toEqual(expected);
  });
});

it('begins with the weights that are served, else with the final ones, else with the last', () => {
  const weights = (path: string, step: number | null, model: string | null = null): RunCheckpoint => ({
    path,
    step,
    kind: 'adapter',
    bytes: 1,
    is_complete: true,
    saved_at: null,
    measures: {},
    model_id: model,
  });
  const [five, ten, final] = [weights('a/5', 5), weights('a/10', 10), weights('a', null)];
  expect(toFirstCheckpoint([five, ten])).toBe(ten);
  expect(toFirstCheckpoint([five, final, ten])).toBe(final);
  const served = weights('a/1', 1, 'm');
  expect(toFirstCheckpoint([five, final, served])).toBe(served);
  expect(toFirstCheckpoint([])).toBeUndefined();
});

it.each([
  [{ type: 'BF16', bytes: 2_100_000_000 }, undefined, 'BF16, 2.1 GB'],
  [{ type: 'GGUF', bytes: 5000 }, undefined, 'a.gguf, 5 kB'],
  [{ type: 'adapter', bytes: null }, 'qwen', 'adapter for qwen'],
  [{ type: 'adapter', bytes: null }, undefined, 'adapter'],
])('says what a file holds before it is downloaded: %j for %s', (about, base, text) => {
  expect(toFileText({ form: 'saved', name: 'a.gguf', ...about }, base)).toBe(text);
});
