// Versions of the packages that matter for a training run, from a list such as `pip freeze` writes.

const PACKAGES = new Set([
  'accelerate',
  'axolotl',
  'bitsandbytes',
  'datasets',
  'deepspeed',
  'flash-attn',
  'liger-kernel',
  'llamafactory',
  'mlx',
  'mlx-lm',
  'peft',
  'tokenizers',
  'torch',
  'torchtune',
  'transformers',
  'triton',
  'trl',
  'unsloth',
  'unsloth-zoo',
  'vllm',
  'wandb',
  'xformers',
]);
const LINE = /^([A-Za-z0-9._-]+)\s*==\s*([^\s;#]{1,60})/;

/** Versions by package name, in lower case with `-`. */
export function toPackageVersions(content: Uint8Array): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of new TextDecoder().decode(content).split('\n')) {
    const [, raw, version] = LINE.exec(line) ?? [];
    const name = raw?.toLowerCase().replaceAll('_', '-');
    if (name !== undefined && version !== undefined && PACKAGES.has(name)) found.set(name, version);
  }
  return found;
}
