// What an adapter of PEFT is, judged once for every server by its adapter_config.json and the names and shapes of its
// tensors. Where both speak, the tensors decide. By the sources of peft 0.21.2 (tuners/lora, utils/other.py), vLLM
// (lora/peft_helper.py), SGLang 0.5.23 (srt/lora/lora.py) and Ollama (convert/convert.go). Pure.
import { isObject, ownField, type JsonObject } from '#core/contract/readJson.ts';

/** The servers of adapters. */
const SERVERS = ['llama', 'vllm', 'sglang', 'ollama'] as const;
export type LoraServer = (typeof SERVERS)[number];

export interface LoraTensor {
  readonly name: string;
  /** PyTorch's order. */
  readonly shape: readonly number[];
}

/** Why servers would answer wrongly with an adapter, or can't load it. */
interface Obstacle {
  /** One or two sentences. */
  readonly reason: string;
  /** What to do instead. */
  readonly advice: string;
  readonly servers: readonly LoraServer[];
}

/** A matrix of the model with what is added to it: B*A times a scale. */
interface LoraModule {
  /** As PEFT names it: `model.layers.0.self_attn.q_proj`. */
  readonly name: string;
  /** Rows of A. */
  readonly rank: number;
  /** By which PEFT multiplies B*A when it has loaded the file. */
  readonly scale: number;
}

export interface LoraJudgement {
  /** By the name of the module. */
  readonly modules: ReadonlyMap<string, LoraModule>;
  readonly obstacles: readonly Obstacle[];
  /** The file has parts of a vision or audio tower, which texts don't pass. */
  readonly hasTowers: boolean;
  /** The largest rank; 0: none is known. */
  readonly maxRank: number;
}

/** The first reason and advice for a server; null: it can run the adapter. */
export function findObstacle({ obstacles }: LoraJudgement, server: LoraServer): string | null {
  const found = obstacles.find(({ servers }) => servers.includes(server));
  return found ? `${found.reason} ${found.advice}` : null;
}

const MERGE = 'Merge it into its base with PEFT (merge_and_unload), and chat with the merged model.';
const ONLY_PEFT = 'Run it with PEFT itself, which made it.';
const SAVE_PLAIN =
  'Merge it with PEFT, which repeats that start. Or save it as plain LoRA: save_pretrained with ' +
  'path_initial_model_for_weight_conversion.';

/** Fields that say how an adapter was trained, where it belongs, or what the tensors say better. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'peft_type peft_version task_type auto_mapping base_model_name_or_path revision inference_mode r ' +
    'lora_alpha lora_dropout use_rslora rank_pattern alpha_pattern target_modules exclude_modules ' +
    'target_parameters layers_to_transform layers_pattern bias lora_bias modules_to_save ' +
    'trainable_token_indices fan_in_fan_out ensure_weight_tying init_lora_weights loftq_config eva_config ' +
    'corda_config lora_ga_config runtime_config megatron_config megatron_core use_qalora ' +
    'qalora_group_size use_dora layer_replication alora_invocation_tokens lora_dtype lorap_lr_ratio ' +
    'lorap_emb_lr unsloth_fixed unsloth_version'
  ).split(' '),
);

/** Starts that leave the base as it is. */
const PLAIN_STARTS: ReadonlySet<unknown> = new Set([true, false, 'gaussian', 'eva', 'orthogonal', 'mica']);
const CHANGING_STARTS = /^(?:pissa|corda|olora|loftq|lora_ga)/i;

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 80);

const forAll = (reason: string, advice: string): Obstacle => ({ reason, advice, servers: SERVERS });

function* judgeConfig(config: JsonObject): Generator<Obstacle> {
  const get = (field: string): unknown => ownField(config, field);
  const type = get('peft_type');
  if (type !== 'LORA')
    yield forAll(`Its peft_type is ${show(type) ?? 'missing'}, and only LORA can be served as an adapter.`, MERGE);
  const start = get('init_lora_weights') ?? true;
  if (typeof start === 'string' && CHANGING_STARTS.test(start))
    yield forAll(
      `It was started by ${start}, which changed the base weights, so it does not fit the original base model.`,
      SAVE_PLAIN,
    );
  else if (!PLAIN_STARTS.has(start))
    yield forAll(`adapter_config.json sets init_lora_weights to ${show(start)}, which is not known here.`, ONLY_PEFT);
  if (isSet(get('use_dora'))) yield forAll('It is DoRA, which also changes the size of the weights.', MERGE);
  if (isSet(get('layer_replication')))
    yield forAll('Its layer_replication puts the layers of the model in another order.', ONLY_PEFT);
  if (isSet(get('alora_invocation_tokens')))
    yield forAll(
      'It is active only after certain tokens (aLoRA).',
      `${ONLY_PEFT} Merging would make it always active.`,
    );
  for (const [field, value] of Object.entries(config))
    if (!HARMLESS.has(field) && isSet(value))
      yield forAll(
        `adapter_config.json sets ${field.slice(0, 80)} to ${show(value)}, which is not known here.`,
        ONLY_PEFT,
      );
  if (isSet(get('modules_to_save')))
    yield { reason: 'vLLM takes no adapter with modules_to_save.', advice: MERGE, servers: ['vllm'] };
}

/** Parts of a name that stand for images and sounds. */
const TOWER =
  /(?:^|\.)(?:vision\w*|visual|audio\w*|image\w*|multi_modal_projector|mm_projector|embed_vision|embed_audio|connector|patch_merger)\./;
const MATRIX = /^(?:base_model\.model\.)?(.+)\.lora_([AB])(?:\.[^.]+)?\.weight$/;

/** What a tensor is that is no matrix of plain LoRA; null: a copy of the base, which PEFT saves beside it. */
function judgeTensor(name: string): Obstacle | null {
  const what = name.slice(0, 200).replace(/^base_model\.model\./, '');
  if (/\.base_layer\.(?:weight|bias)$/.test(name)) return null;
  if (name.includes('lora_magnitude_vector'))
    return forAll('It is DoRA, which also changes the size of the weights.', MERGE);
  if (name.includes('lora_embedding_'))
    return forAll(
      `It adapts the embeddings (${what}), which this studio and the servers don't load from adapters.`,
      'Where the model has a head of its own (tie_word_embeddings false), merge it with PEFT. Where embeddings and head are ' +
        'one matrix, merging changes both: run it with PEFT itself.',
    );
  if (name.includes('trainable_tokens'))
    return forAll(`It holds embeddings of tokens that were trained, too (${what}).`, MERGE);
  if (/\.lora_B(?:\.[^.]+)?\.bias$/.test(name)) return forAll(`It trains biases of the adapter (${what}).`, MERGE);
  if (name.endsWith('.bias')) return forAll(`It holds biases of the model that were trained, too (${what}).`, MERGE);
  if (/\.lora_/.test(name)) return forAll(`It holds ${what}, which plain LoRA does not have.`, ONLY_PEFT);
  return forAll(`It holds the whole matrix ${what}, which was saved beside the adapter.`, MERGE);
}

/** Python's regular expressions that mean the same here and can't take long. */
const SIMPLE = /^\^?(?:[\w-]|\\[.d]|\.\*?|\[[\w-]+\]|\((?:\?:)?[\w.]+(?:\|[\w.]+)*\)|(?<=\\d|\])\+)*\$?$/;

/** The value of the first pattern that fits a module, as PEFT matches them; undefined: none does. Throws SyntaxError. */
function matchPattern(pattern: JsonObject, module: string): unknown {
  for (const [key, value] of Object.entries(pattern)) {
    if (!SIMPLE.test(key) || key.split('.*').length > 4) throw new SyntaxError(key);
    if (new RegExp(`^(?:.*\\.)?(?:${key})$`, 'u').test(module)) return value;
  }
  return undefined;
}

const toNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

/** `config`: the parsed adapter_config.json. */
export function judgeLora(config: unknown, tensors: readonly LoraTensor[]): LoraJudgement {
  if (!isObject(config)) {
    const obstacle = forAll('adapter_config.json is not a JSON object.', 'Save the adapter again.');
    return { modules: new Map(), obstacles: [obstacle], hasTowers: false, maxRank: 0 };
  }
  const obstacles = [...judgeConfig(config)];
  const [rank, alpha] = [ownField(config, 'r'), ownField(config, 'lora_alpha')].map(toNumber);
  const alphas = ownField(config, 'alpha_pattern');
  const isStabilised = ownField(config, 'use_rslora') === true;
  const sides = new Map<string, Map<string, readonly number[]>>();
  let hasTowers = false;
  for (const { name, shape } of tensors) {
    if (TOWER.test(name)) {
      hasTowers = true;
      continue;
    }
    const [, module, side] = MATRIX.exec(name) ?? [];
    if (module === undefined || side === undefined) {
      const obstacle = judgeTensor(name);
      if (obstacle) obstacles.push(obstacle);
    } else if (/\.experts(?:\.base_layer)*$/.test(module))
      obstacles.push(
        forAll('It adapts the experts of a mixture (target_parameters), which are one tensor for all.', MERGE),
      );
    else sides.set(module, (sides.get(module) ?? new Map<string, readonly number[]>()).set(side, shape));
  }
  if (obstacles.length === 0 && (rank == null || alpha == null))
    obstacles.push(
      forAll('adapter_config.json has no numbers above 0 as r and lora_alpha.', 'Save the adapter again.'),
    );
  const modules = new Map<string, LoraModule>();
  for (const [name, found] of sides) {
    const [a, b] = [found.get('A'), found.get('B')];
    const own = a?.[0];
    if (!a || !b || own === undefined || a.length !== 2 || b.length !== 2 || b[1] !== own) {
      const half = found.size === 2 ? 'two matrices that do not fit each other' : 'only one of its two matrices';
      obstacles.push(forAll(`${name} has ${half}: the file is incomplete.`, 'Save the adapter again.'));
      continue;
    }
    let ownAlpha = alpha ?? 0;
    try {
      const value = isObject(alphas) ? matchPattern(alphas, name) : undefined;
      if (value !== undefined) ownAlpha = toNumber(value) ?? Number.NaN;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      obstacles.push(forAll(`Its alpha_pattern holds the expression ${error.message.slice(0, 80)}.`, MERGE));
      break;
    }
    if (Number.isNaN(ownAlpha)) {
      obstacles.push(forAll('A value of its alpha_pattern is not a number above 0.', 'Correct adapter_config.json.'));
      break;
    }
    modules.set(name, { name, rank: own, scale: ownAlpha / (isStabilised ? Math.sqrt(own) : own) });
  }
  if (obstacles.length === 0 && modules.size === 0)
    obstacles.push(forAll('adapter_model.safetensors holds no LoRA matrices for texts.', 'Save the adapter again.'));
  const scales = [...modules.values()].map(({ scale }) => scale);
  /** Servers that read `r` and `lora_alpha` of the file and no patterns. */
  const hasOneScale = (scale: number): boolean => scales.every((own) => Math.abs(own / scale - 1) < 1e-6);
  if (rank != null && alpha != null) {
    if (isStabilised && !hasOneScale(alpha / rank))
      obstacles.push({
        reason: 'It uses rsLoRA, which SGLang and Ollama ignore: they would scale it by alpha / rank.',
        advice: `Use llama.cpp here or vLLM. Or: ${MERGE}`,
        servers: ['sglang', 'ollama'],
      });
    if (!hasOneScale(alpha / (isStabilised ? Math.sqrt(rank) : rank)))
      obstacles.push({
        reason: 'Its matrices have several scales (rank_pattern, alpha_pattern), and this server has one for all.',
        advice: `Use llama.cpp here. Or: ${MERGE}`,
        servers: ['vllm', 'sglang', 'ollama'],
      });
  }
  return {
    modules,
    obstacles,
    hasTowers,
    maxRank: Math.max(0, rank ?? 0, ...[...modules.values()].map((each) => each.rank)),
  };
}
