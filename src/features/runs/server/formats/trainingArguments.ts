// `training_args.bin` of HF's Trainer: all settings of a run, also of one without a tracker. It is what `torch.save` makes: a
// zip file without compression, with a pickle in it that is read as data (`../encodings/pickle.ts`).
import type { JsonObject } from '#core/contract/readJson.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import { PickledName, PickledObject, readPickle, type PickleValue } from '#features/runs/server/encodings/pickle.ts';
import { methodOfClass } from './trainingMethod.ts';

export const TRAINING_ARGUMENTS = 'training_args.bin';
/** Real ones have 6 kB. */
export const MAX_ARGUMENTS_BYTES = 512 * 1024;

export interface TrainingArguments {
  /** By the trainer's names. */
  readonly settings: JsonObject;
  /** By the class of the arguments, which belongs to one trainer; null: it is not one of TRL's. */
  readonly method: string | null;
}

/** Throws Unreadable: it is too large, damaged, or holds more than settings. */
export function parseTrainingArguments(content: Uint8Array): TrainingArguments {
  if (content.length >= MAX_ARGUMENTS_BYTES) throw new Unreadable('It is too large for the arguments of a training');
  const value = readPickle(findPickle(content));
  if (!(value instanceof PickledObject)) throw new Unreadable('It holds no training arguments');
  const budget = { left: MAX_SHOWN };
  const settings: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, each] of value.attributes) {
    const plain = name.startsWith('_') ? undefined : toPlain(each, budget, 0);
    if (plain !== undefined) settings[name] = plain;
  }
  const devices = toDevices(value);
  if (devices !== null) settings['num_devices'] = devices;
  return { settings, method: methodOfClass(value.className) };
}

const MAX_SHOWN = 20_000;
const MAX_DEPTH = 8;

/** undefined: it can't be shown. A value may hold itself. */
function toPlain(value: PickleValue, budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_DEPTH || value instanceof PickledObject) return undefined;
  if (value instanceof PickledName) return value.name;
  if (Array.isArray(value)) return value.map((each) => toPlain(each, budget, depth + 1) ?? null);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, each]) => [name, toPlain(each, budget, depth + 1) ?? null]));
}

const toCount = (value: PickleValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Processes, and the cards that each has; null: the file does not say. */
function toDevices({ attributes }: PickledObject): number | null {
  const state = attributes.get('distributed_state');
  const processes = state instanceof PickledObject ? toCount(state.attributes.get('num_processes')) : null;
  const cards = toCount(attributes.get('_n_gpu'));
  return processes === null || cards === null ? null : processes * Math.max(1, cards);
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const PICKLE = /(?:^|\/)data\.pkl$/;

/** The pickle in the zip file: by the list at its end, because the entries themselves don't know their sizes. */
function findPickle(content: Uint8Array): Uint8Array {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  try {
    let end = content.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0 && view.getUint32(at, true) === ENTRY; left -= 1) {
      const [method, bytes] = [view.getUint16(at + 10, true), view.getUint32(at + 24, true)];
      const [name, extra, note] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
        number,
        number,
        number,
      ];
      const start = view.getUint32(at + 42, true);
      if (PICKLE.test(new TextDecoder().decode(content.subarray(at + 46, at + 46 + name)))) {
        if (method !== 0 || view.getUint32(start, true) !== LOCAL) break;
        const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
        return content.subarray(from, from + bytes);
      }
      at += 46 + name + extra + note;
    }
  } catch {
    // A place behind the end of the file.
  }
  throw new Unreadable('It is no file of torch.save, or not whole');
}
