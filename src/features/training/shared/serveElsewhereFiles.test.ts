import { describe, expect, it } from 'vitest';
import {
  toDownloaded,
  toModelfile,
  toTakeAway,
  TURN_CHATS,
  type RenderedTurns,
  type TakenModel,
  type Turn,
} from './serveElsewhereFiles.ts';

const MODEL: TakenModel = {
  name: 'ft-base-1',
  file: './ft base.gguf',
  adapter: null,
  context: 512,
  endText: '<|im_end|>',
  beginText: '',
  files: [{ format: 'F16', path: './ft base.gguf', bytes: 2_000_000, name: 'ft-base-1.gguf' }],
};

type RenderTurns = (messages: readonly Turn[]) => string;

const renderAll = (render: RenderTurns): RenderedTurns => ({ texts: TURN_CHATS.map(render) });

const chatml: RenderTurns = (messages) =>
  `${messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;

/** Llama 2 puts the system text into the first user's turn, which is still a list of texts. */
const inst: RenderTurns = (messages) =>
  `<s>${messages
    .map(({ role, content }) =>
      role === 'system'
        ? `<<SYS>>${content}<</SYS>>`
        : role === 'user'
          ? `[INST] ${content} [/INST]`
          : `${content}</s>`,
    )
    .join('')}`;

describe('a Modelfile', () => {
  it('has the turns of the template', () => {
    expect(toModelfile(MODEL, renderAll(chatml))).toBe(
      [
        'FROM ./ft base.gguf',
        'TEMPLATE """{{ range .Messages }}{{ if eq .Role "system" }}<|im_start|>system\n{{ .Content }}<|im_end|>\n' +
          '{{ else if eq .Role "user" }}<|im_start|>user\n{{ .Content }}<|im_end|>\n<|im_start|>assistant\n' +
          '{{ else if eq .Role "assistant" }}{{ .Content }}<|im_end|>\n{{ end }}{{ end }}"""',
        'PARAMETER stop "<|im_end|>"',
        'PARAMETER num_ctx 512',
        '',
      ].join('\n'),
    );
  });

  it('names an adapter, and leaves out the beginning that the server adds', () => {
    const text = toModelfile({ ...MODEL, adapter: './a.gguf', beginText: '<s>' }, renderAll(inst));
    expect(text).toContain('\nADAPTER ./a.gguf\nTEMPLATE """{{ range .Messages }}');
    expect(toModelfile(MODEL, renderAll(inst))).toContain('TEMPLATE """<s');
  });

  it.each<[string, RenderTurns]>([
    ['adds a system text of its own', (turns) => `${turns[0]?.role === 'system' ? '' : 'Be good.\n'}${chatml(turns)}`],
    ['drops earlier answers', (turns) => chatml(turns.filter(({ role }) => role !== 'assistant'))],
    ['counts turns', (turns) => turns.map(({ role, content }, at) => `${at} ${role}: ${content}\n`).join('')],
    ['holds what Go would read', (turns) => `{{ x }}${chatml(turns)}`],
  ])('is not made of a template that %s', (_, render) => {
    const { modelfile, problem, commands } = toTakeAway(MODEL, renderAll(render));
    expect(modelfile).toBeNull();
    expect(problem).toContain('llama.cpp');
    expect(commands.map(({ title }) => title)).toEqual(['llama.cpp', 'vLLM']);
  });
});

it('without the texts of its template, a model has all but the Modelfile, and why', () => {
  const { modelfile, problem, files, commands } = toTakeAway(MODEL, { problem: 'It takes too long.' });
  expect([modelfile, files, commands.map(({ title }) => title)]).toEqual([null, MODEL.files, ['llama.cpp', 'vLLM']]);
  expect(problem).toMatch(/^There is no Modelfile for Ollama: It takes too long\. Serve it with llama\.cpp/);
});

it('commands quote what a shell would read', () => {
  const { commands } = toTakeAway({ ...MODEL, name: "it's" }, renderAll(chatml));
  expect(commands[0]?.command).toBe(
    String.raw`llama-server -m './ft base.gguf' --alias 'it'\''s' --ctx-size 512 --jinja`,
  );
  const adapted = toTakeAway({ ...MODEL, adapter: 'a.gguf' }, renderAll(chatml)).commands;
  expect(adapted.map(({ title }) => title)).toEqual(['llama.cpp', 'Ollama']);
  expect(adapted[0]?.command).toContain(' --lora a.gguf ');
});

it('a name that begins with a dash is no flag', () => {
  const commands = toTakeAway({ ...MODEL, name: '--host' }, renderAll(chatml)).commands.map(({ command }) => command);
  expect(commands.slice(1)).toEqual([
    'ollama create -f Modelfile -- --host',
    "vllm serve './ft base.gguf' --served-model-name=--host",
  ]);
});

it('vLLM gets the merged model where the one that is served is an adapter', () => {
  const files = [
    { format: 'adapter', path: 'a.gguf', bytes: 1, name: 'a' },
    { format: 'merged F16', path: 'm f16.gguf', bytes: 2, name: 'b' },
    { format: 'merged Q8_0', path: 'm q8.gguf', bytes: 1, name: 'c' },
  ];
  const taken = toTakeAway({ ...MODEL, adapter: 'a.gguf', files }, renderAll(chatml));
  expect(taken.files).toBe(files);
  expect(taken.commands.at(-1)).toEqual({
    title: 'vLLM',
    command: "vllm serve 'm f16.gguf' --served-model-name ft-base-1",
  });
});

it('downloaded files name each other: the merged model, else the adapter on the base that the person has', () => {
  const adapter = { format: 'adapter', path: '/a.gguf', bytes: 1, name: 'ft.adapter.gguf' };
  const merged = { format: 'merged F16', path: '/m.gguf', bytes: 1, name: 'ft.merged-F16.gguf' };
  const model = { ...MODEL, file: '/base.gguf', adapter: '/a.gguf' };
  expect(toDownloaded(MODEL)).toMatchObject({ file: './ft-base-1.gguf', adapter: null });
  expect(toDownloaded({ ...model, files: [adapter] })).toMatchObject({
    file: '/base.gguf',
    adapter: './ft.adapter.gguf',
  });
  expect(toDownloaded({ ...model, files: [adapter, merged] })).toMatchObject({
    file: './ft.merged-F16.gguf',
    adapter: null,
  });
});
