// The exact command that serves saved weights, for each server that can. Pure. Checked against vLLM's, SGLang's,
// llama.cpp's, Ollama's and mlx-lm's documentation.
import { toShellWord } from '#features/experiments/shared/configText.ts';
import type { RunCheckpoint } from '#features/runs/shared/runs.ts';

export interface ServingCommand {
  /** null: it runs no adapters of others. */
  readonly server: 'vllm' | 'sglang' | null;
  readonly title: string;
  readonly command: string;
}

export interface SavedWeights {
  readonly kind: RunCheckpoint['kind'];
  /** Absolute. */
  readonly path: string;
  /** As the run names it: a hub name or a path; null: not recorded. */
  readonly baseModel: string | null;
  /** The largest LoRA rank of its matrices; null: not known. */
  readonly rank: number | null;
  /** A short name without blanks. */
  readonly name: string;
  /** An adapter of mlx-lm, which only its own server loads. */
  readonly isMlx: boolean;
}

/** Smallest rank that vLLM allows as --max-lora-rank. */
const RANKS = [8, 16, 32, 64, 128, 256, 320, 512] as const;
const BASE = 'BASE_MODEL';

function toAdapterCommands({ path, baseModel, rank, name, isMlx }: SavedWeights): readonly ServingCommand[] {
  // No name on the hub begins with a dash, and a folder that does would be taken for a flag.
  const base = toShellWord(baseModel?.startsWith('-') ? `./${baseModel}` : (baseModel ?? BASE));
  const folder = toShellWord(path);
  if (isMlx)
    return [{ server: null, title: 'mlx-lm', command: `mlx_lm.server --model ${base} --adapter-path ${folder}` }];
  const most = RANKS.find((each) => each >= (rank ?? 64)) ?? RANKS.at(-1);
  const word = toShellWord(name);
  return [
    {
      server: 'vllm',
      title: 'vLLM',
      command: `vllm serve ${base} --enable-lora --max-lora-rank ${most} --lora-modules ${word}=${folder}`,
    },
    {
      server: 'sglang',
      title: 'SGLang',
      command:
        `python -m sglang.launch_server --model-path ${base} --enable-lora --max-lora-rank ${most} ` +
        `--lora-target-modules all --lora-paths ${word}=${folder}`,
    },
  ];
}

/** The most usual server first. Empty: it is not known what the weights are. */
export function toServingCommands(weights: SavedWeights): readonly ServingCommand[] {
  const path = toShellWord(weights.path);
  const name = toShellWord(weights.name);
  switch (weights.kind) {
    case 'adapter':
      return toAdapterCommands(weights);
    case 'full':
      return [
        { server: 'vllm', title: 'vLLM', command: `vllm serve ${path} --served-model-name ${name}` },
        {
          server: 'sglang',
          title: 'SGLang',
          command: `python -m sglang.launch_server --model-path ${path} --served-model-name ${name}`,
        },
        {
          server: null,
          title: 'A GGUF file beside the weights, which this studio then serves',
          command: `python convert_hf_to_gguf.py ${path} --outtype q8_0 --outfile ${toShellWord(`${weights.path}/${weights.name}.Q8_0.gguf`)}`,
        },
      ];
    case 'gguf':
      return [
        { server: null, title: 'llama.cpp', command: `llama-server -m ${path} --alias ${name}` },
        { server: null, title: 'Ollama', command: `printf 'FROM %s\\n' ${path} | ollama create ${name} -f /dev/stdin` },
      ];
    case 'unknown':
      return [];
  }
}

/** What makes a smaller file of a downloaded one. */
export function toQuantizeCommand({ name }: { readonly name: string }): ServingCommand {
  const [, stem = '', type = ''] = /^(.*)\.(\w+)\.gguf$/.exec(name) ?? [];
  return {
    server: null,
    title: `A GGUF file of about half the size of Q8_0 (Q4_K_M), made of the downloaded ${type} file`,
    command: `llama-quantize ${toShellWord(name)} ${toShellWord(`${stem}.Q4_K_M.gguf`)} Q4_K_M`,
  };
}

/** `file`: the converted adapter. `base`: the file of its base. */
export const toMergeCommand = (file: string, base: string, name: string): ServingCommand => ({
  server: null,
  title: 'Base and adapter as one GGUF file',
  command: `llama-export-lora -m ${toShellWord(base)} --lora ${toShellWord(file)} -o ${toShellWord(`${name}.merged.gguf`)}`,
});
