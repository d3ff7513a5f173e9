// A README.md that HF's Trainer, TRL or PEFT wrote. Anybody may have written it instead: all of it is data, bounded, and
// none of it is shown as markup.
import { arrayOr, isObject, type JsonObject } from '#core/contract/readJson.ts';
import { toText } from './looseJson.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

/** Bytes of a card that are read. */
export const CARD_BYTES = 256 * 1024;
const MAX_FRONT_MATTER = 32 * 1024;
const MAX_ITEMS = 100;
const MAX_TEXT = 300;

export interface ModelCard {
  readonly baseModel: string | null;
  readonly datasets: readonly string[];
  readonly tags: readonly string[];
  /** From the list below `### Training hyperparameters`, by the trainer's names. */
  readonly parameters: JsonObject;
  /** From the list below `### Framework versions`, by package. */
  readonly versions: ReadonlyMap<string, string>;
}

/** Never throws: what can't be read is absent. */
export function parseModelCard(text: string): ModelCard {
  const front = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  const about = readFrontMatter(front?.[1] ?? '');
  const body = text.slice(front?.[0].length ?? 0).split(/\r?\n/);
  const parameters: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of readList(body, 'Training hyperparameters')) {
    const written = name === 'optimizer' ? toOptimizer(value) : toValue(value);
    if (written !== null) parameters[name] = written;
  }
  return {
    baseModel: toShort(about['base_model']) ?? toShort(arrayOr(about['base_model'])[0]),
    datasets: toTexts(about['datasets']),
    tags: toTexts(about['tags']),
    parameters,
    versions: new Map(readList(body, 'Framework versions')),
  };
}

function readFrontMatter(text: string): JsonObject {
  if (text === '' || text.length > MAX_FRONT_MATTER) return {};
  try {
    return parseYamlRecord(text);
  } catch {
    return {};
  }
}

const toShort = (value: unknown): string | null => toText(value)?.slice(0, MAX_TEXT) ?? null;

/** A list of texts, or one text. */
const toTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : isObject(value) ? [] : [value])
    .slice(0, MAX_ITEMS)
    .flatMap((item) => toShort(item) ?? []);

/** `- name: value` or `- name value` below a heading, up to the next one. */
function readList(lines: readonly string[], heading: string): readonly (readonly [string, string])[] {
  const start = lines.findIndex((line) => line.trim().replace(/^#+ */, '') === heading);
  if (start < 0) return [];
  const found: (readonly [string, string])[] = [];
  for (const line of lines.slice(start + 1)) {
    if (line.startsWith('#') || found.length >= MAX_ITEMS) break;
    const [, name, value] = /^- ([\w.-]+)(?::|\s)\s*(\S.*)$/.exec(line.slice(0, 1000)) ?? [];
    if (name !== undefined && value !== undefined) found.push([name, value.trim().slice(0, MAX_TEXT)]);
  }
  return found;
}

/** `Use OptimizerNames.ADAMW_TORCH with betas=(0.9,0.999) and ...`, or the name alone. Other sentences are no name. */
function toOptimizer(text: string): string | null {
  const [, name] = /^Use (?:OptimizerNames\.)?([\w.-]+) with /.exec(text) ?? /^([\w.-]+)$/.exec(text) ?? [];
  return name?.toLowerCase() ?? null;
}

const toValue = (text: string): string | number =>
  /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
