// The records of a `.wandb` file that say something about a run. Field numbers: wandb/proto/wandb_internal.proto 0.28, 0.31.
import { parseLooseJson } from './looseJson.ts';
import {
  findMessages,
  findNumber,
  findText,
  readFields,
  toProtoText,
  type ProtoField,
} from '#features/runs/server/encodings/protobufFields.ts';

/** Names and values; nested names are joined by dots. */
export type WandbItems = readonly (readonly [name: string, value: unknown])[];

export type WandbRecord =
  | { readonly kind: 'history'; readonly items: WandbItems; readonly step: number }
  /** Values of the whole run, the last of each row among them, as JSON. */
  | { readonly kind: 'summary'; readonly updates: readonly (readonly [name: string, json: string])[] }
  /** `define_metric`: which metrics, and the metric that is their step. */
  | { readonly kind: 'metric'; readonly name: string; readonly glob: string; readonly stepMetric: string }
  | { readonly kind: 'config'; readonly updates: WandbItems; readonly removals: readonly string[] }
  | { readonly kind: 'run'; readonly run: WandbRun; readonly config: WandbItems }
  | { readonly kind: 'exit'; readonly code: number; readonly runtime: number; readonly isComplete: boolean }
  | { readonly kind: 'environment'; readonly values: ReadonlyMap<string, string>; readonly host: string }
  | { readonly kind: 'output'; readonly isError: boolean; readonly text: Uint8Array };

export interface WandbRun {
  readonly id: string;
  readonly project: string;
  readonly group: string;
  readonly name: string;
  readonly notes: string;
  readonly jobType: string;
  readonly tags: readonly string[];
  readonly sweep: string;
  readonly host: string;
  /** Unix milliseconds; 0: unknown. */
  readonly startedAt: number;
  readonly isResumed: boolean;
  /** The run that this one was forked from; '' if none. */
  readonly forkedFrom: string;
}

const EMPTY = new Uint8Array();

/** Texts and numbers of an EnvironmentRecord by name. Arguments, users and addresses of people are left out. */
const ENVIRONMENT_TEXTS: readonly (readonly [number: number, name: string])[] = [
  [1, 'os'],
  [2, 'python'],
  [6, 'program'],
  [14, 'executable'],
  [18, 'gpu'],
  [25, 'cuda_version'],
];
const ENVIRONMENT_NUMBERS: readonly (readonly [number: number, name: string])[] = [
  [16, 'cpu_count'],
  [17, 'cpu_count_logical'],
  [19, 'gpu_count'],
];

/** null: a record that says nothing about the run. Throws Unreadable if the bytes are no record. */
export function parseWandbRecord(bytes: Uint8Array): WandbRecord | null {
  const found = readFields(bytes).find(({ number }) => PARSERS.has(number));
  return found ? (PARSERS.get(found.number)?.(readFields(found.bytes)) ?? null) : null;
}

const PARSERS = new Map<number, (fields: readonly ProtoField[]) => WandbRecord>([
  [2, parseHistory],
  [3, parseSummary],
  [5, (fields) => ({ kind: 'config', ...parseConfig(fields) })],
  [12, parseMetric],
  [13, parseOutput],
  [17, parseRun],
  [18, parseExit],
  [26, parseEnvironment],
]);

function parseHistory(fields: readonly ProtoField[]): WandbRecord {
  const step = findNumber(findMessages(fields, 2).at(-1) ?? [], 1);
  return { kind: 'history', items: toItems(findItems(fields, 1)), step };
}

function parseSummary(fields: readonly ProtoField[]): WandbRecord {
  return { kind: 'summary', updates: findItems(fields, 1) };
}

function parseMetric(fields: readonly ProtoField[]): WandbRecord {
  return {
    kind: 'metric',
    name: findText(fields, 1),
    glob: findText(fields, 2),
    stepMetric: findText(fields, 4),
  };
}

function parseConfig(fields: readonly ProtoField[]): { updates: WandbItems; removals: readonly string[] } {
  return { updates: toItems(findItems(fields, 1)), removals: findItems(fields, 2).map(([name]) => name) };
}

function parseOutput(fields: readonly ProtoField[]): WandbRecord {
  const text = fields.findLast(({ number }) => number === 3)?.bytes ?? EMPTY;
  return { kind: 'output', isError: findNumber(fields, 1) === 0, text };
}

function parseRun(fields: readonly ProtoField[]): WandbRecord {
  const start = findMessages(fields, 17).at(-1) ?? [];
  return {
    kind: 'run',
    run: {
      id: findText(fields, 1),
      project: findText(fields, 3),
      group: findText(fields, 6),
      name: findText(fields, 8),
      notes: findText(fields, 9),
      jobType: findText(fields, 7),
      tags: fields.filter(({ number }) => number === 10).map(toProtoText),
      sweep: findText(fields, 12),
      host: findText(fields, 13),
      startedAt: findNumber(start, 1) * 1000 + findNumber(start, 2) / 1e6,
      isResumed: findNumber(fields, 18) !== 0,
      forkedFrom: findText(findMessages(fields, 23).at(-1) ?? [], 1),
    },
    config: findMessages(fields, 4).flatMap((each) => toItems(findItems(each, 1))),
  };
}

function parseExit(fields: readonly ProtoField[]): WandbRecord {
  return {
    kind: 'exit',
    code: findNumber(fields, 1),
    runtime: findNumber(fields, 2),
    isComplete: findNumber(fields, 3) === 0,
  };
}

function parseEnvironment(fields: readonly ProtoField[]): WandbRecord {
  const values = new Map<string, string>();
  for (const [number, name] of ENVIRONMENT_TEXTS) {
    const text = findText(fields, number);
    if (text !== '') values.set(name, text);
  }
  for (const [number, name] of ENVIRONMENT_NUMBERS) {
    const count = findNumber(fields, number);
    if (count > 0) values.set(name, String(count));
  }
  return { kind: 'environment', values, host: findText(fields, 12) };
}

/** The part of a nested key that says what a table, an image or a histogram is: its numbers are no measures. */
const MEDIA = '_type';

/** Items of config, history and summary: a key or a nested key, and JSON. Media are left out. */
function findItems(fields: readonly ProtoField[], number: number): readonly (readonly [name: string, json: string])[] {
  const media = new Set<string>();
  const found = findMessages(fields, number).map((item) => {
    const nested = item.filter((field) => field.number === 2).map(toProtoText);
    if (nested.length > 1 && nested.at(-1) === MEDIA) media.add(`${nested.slice(0, -1).join('.')}.`);
    return [nested.length > 0 ? nested.join('.') : findText(item, 1), findText(item, 16)] as const;
  });
  const isMedia = (name: string): boolean => [...media].some((prefix) => name.startsWith(prefix));
  return found.filter(([name]) => name !== '' && (media.size === 0 || !isMedia(name)));
}

/** Items whose JSON is damaged are left out. */
function toItems(items: readonly (readonly [name: string, json: string])[]): WandbItems {
  return items.flatMap(([name, json]) => {
    try {
      return [[name, json === '' ? null : parseLooseJson(json)] as const];
    } catch {
      return [];
    }
  });
}
