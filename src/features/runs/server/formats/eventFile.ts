// One event file of TensorBoard as it grows: scalars by tag, the few texts that say how a run was set up, and times.
import type { JsonObject } from '#core/contract/readJson.ts';
import { Curve } from '#features/runs/server/curve.ts';
import { toMetricName } from '#features/runs/server/metricNames.ts';
import { toShortFloat } from '#features/runs/server/curvePoints/shortFloat.ts';
import { BYTES, FieldCursor, FIXED32, FIXED64, VARINT } from '#features/runs/server/encodings/protobuf.ts';
import {
  findMessages,
  findText,
  readFields,
  toProtoText,
  type ProtoField,
} from '#features/runs/server/encodings/protobufFields.ts';
import { RecordStream } from '#features/runs/server/encodings/tfRecord.ts';

const MAX_TAGS = 5000;
const MAX_TAG_BYTES = 1000;
/** Longest text that is kept, in bytes. */
const MAX_TEXT = 4 * 1024 * 1024;
/** The texts that are kept; HF's callback writes them when training begins. */
const TEXTS = new Set(['args/text_summary', 'model_config/text_summary']);
/** A chunk that is so long is worth to make room for at once. */
const MANY_BYTES = 128 * 1024;
/** A file with fewer bytes of scalars holds images or histograms. */
const MOSTLY = 0.5;
/** The most points of one tag that room is made for before they come. */
const MAX_RESERVED = 1_000_000;
/** Lengths and check sums around a record. */
const FRAME_BYTES = 16;
const DECODER = new TextDecoder();
/** The settings of `add_hparams`, and of Lightning's logger. */
const HPARAMS = '_hparams_/session_start_info';
const MAX_HPARAMS = 3000;

/** Scalars of one tag. */
interface Series {
  readonly tag: string;
  readonly tagBytes: Uint8Array;
  /** The tag in words of four bytes, the last of which may overlap the one before it. */
  readonly words: Int32Array;
  readonly curve: Curve;
  /** The series that came after this one last time: trainers log the same tags in the same order. */
  next: Series | null;
}

/** Values of `DataType` that a scalar may have. */
const FLOAT = 1;
const DOUBLE = 2;
const INT32 = 3;
const STRING = 7;
const INT64 = 9;

export class EventFile {
  #records = new RecordStream();
  readonly #series = new Map<string, Series>();
  #last: Series | null = null;
  #tooMany = false;
  #bytes = 0;
  /** Of all events with one scalar. */
  #scalarBytes = 0;
  readonly curves = new Map<string, Curve>();
  readonly texts = new Map<string, string>();
  // NaN: no event has a time. Not null: a field that holds only doubles takes no new memory for each of them.
  #firstTime = Number.NaN;
  #lastTime = Number.NaN;
  /** Settings that the program logged as such; null: none. */
  hparams: JsonObject | null = null;
  /** The step from which a restarted program says that older points no longer hold. */
  purgeStep: number | null = null;

  /** Unix milliseconds of the first event. */
  get firstTime(): number | null {
    return Number.isNaN(this.#firstTime) ? null : this.#firstTime;
  }

  /** Unix milliseconds of the newest event. */
  get lastTime(): number | null {
    return Number.isNaN(this.#lastTime) ? null : this.#lastTime;
  }

  take(content: Uint8Array): void {
    // The next points are as long as those before them, and of the same tags: columns that need not grow leave no waste.
    if (content.length > MANY_BYTES && this.#scalarBytes > this.#bytes * MOSTLY) {
      const growth = 1 + content.length / this.#scalarBytes;
      for (const curve of this.curves.values()) curve.reserve(Math.min(MAX_RESERVED, Math.ceil(curve.length * growth)));
    }
    this.#bytes += content.length;
    this.#records.take(content, this.#onRecord);
  }

  /** What could not be read, for people. */
  problems(name: string): readonly string[] {
    const at = this.#records.damagedAt;
    return [
      ...(at === null
        ? []
        : [`${name} is damaged at byte ${at}; only the values before it are shown. Check the disk.`]),
      ...(this.#tooMany ? [`${name} has more than ${MAX_TAGS} tags; the rest is not shown.`] : []),
    ];
  }

  readonly #onRecord = (bytes: Uint8Array, view: DataView, start: number, end: number): void => {
    if (!this.#takeScalar(bytes, view, start, end)) this.#takeEvent(bytes, view, start, end);
  };

  /**
   * The one layout that nearly all events have, read without a cursor: wall_time, step, summary {value {tag,
   * simple_value}}, each length in one byte. false: it has another layout, and nothing was taken.
   */
  #takeScalar(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    if (end - start < 20 || end - start > 138 || bytes[start] !== 0x09) return false;
    let at = start + 9;
    let step = 0;
    if (bytes[at] === 0x10) {
      let byte = 128;
      for (let factor = 1; byte > 127 && factor < 2 ** 49; factor *= 128) {
        at += 1;
        byte = bytes[at] ?? 0;
        step += (byte & 127) * factor;
      }
      if (byte > 127) return false;
      at += 1;
    }
    if (bytes[at] !== 0x2a || bytes[at + 1] !== end - at - 2) return false;
    if (bytes[at + 2] !== 0x0a || bytes[at + 3] !== end - at - 4 || bytes[at + 4] !== 0x0a) return false;
    const tagStart = at + 6;
    const tagEnd = tagStart + (bytes[at + 5] ?? 0);
    if (tagEnd === tagStart || tagEnd + 5 !== end || bytes[tagEnd] !== 0x15) return false;
    const time = this.#seeTime(view.getFloat64(start + 1, true));
    this.#scalarBytes += end - start + FRAME_BYTES;
    this.#find(bytes, view, tagStart, tagEnd)?.curve.pushFloat(step, view.getFloat32(tagEnd + 1, true), time);
    return true;
  }

  /** Unix milliseconds; NaN if it is no time. */
  #seeTime(seconds: number): number {
    const time = seconds * 1000;
    if (!(time > 0 && time < 1e14)) return Number.NaN;
    if (Number.isNaN(this.#firstTime)) this.#firstTime = time;
    this.#lastTime = time;
    return time;
  }

  #takeEvent(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    let time = Number.NaN;
    let step = 0;
    let summaryStart = 0;
    let summaryEnd = 0;
    let isRestart = false;
    const cursor = new FieldCursor(bytes, view, start, end);
    while (cursor.next()) {
      if (cursor.field === 1 && cursor.wire === FIXED64) time = this.#seeTime(cursor.readFixed());
      else if (cursor.field === 2 && cursor.wire === VARINT) step = cursor.value;
      else if (cursor.field === 5 && cursor.wire === BYTES) {
        summaryStart = cursor.start;
        summaryEnd = cursor.end;
        // SessionLog {1 status: 1 START}.
      } else if (cursor.field === 7 && cursor.wire === BYTES) {
        isRestart = cursor.end - cursor.start >= 2 && bytes[cursor.start] === 8 && bytes[cursor.start + 1] === 1;
      }
    }
    if (isRestart) this.purgeStep = step;
    if (summaryEnd > summaryStart) {
      cursor.enter(summaryStart, summaryEnd);
      while (cursor.next()) {
        if (cursor.field !== 1 || cursor.wire !== BYTES) continue;
        const { end } = cursor;
        this.#readValue(bytes, view, cursor, step, time);
        cursor.enter(end, summaryEnd);
      }
    }
  }

  /** The field that the cursor has found, a Summary.Value: 1 tag, 2 simple_value, 8 tensor, 9 metadata. Images and histograms are passed over. */
  #readValue(bytes: Uint8Array, view: DataView, cursor: FieldCursor, step: number, time: number): void {
    let tagStart = 0;
    let tagEnd = -1;
    let simple: number | null = null;
    let tensorStart = 0;
    let tensorEnd = -1;
    let plugin = '';
    let metadataStart = 0;
    let metadataEnd = 0;
    cursor.enter(cursor.start, cursor.end);
    while (cursor.next()) {
      if (cursor.field === 1 && cursor.wire === BYTES) {
        tagStart = cursor.start;
        tagEnd = cursor.end;
      } else if (cursor.field === 2 && cursor.wire === FIXED32) simple = cursor.readFixed();
      else if (cursor.field === 8 && cursor.wire === BYTES) {
        tensorStart = cursor.start;
        tensorEnd = cursor.end;
      } else if (cursor.field === 9 && cursor.wire === BYTES) {
        metadataStart = cursor.start;
        metadataEnd = cursor.end;
        plugin = readPlugin(bytes, view, cursor.start, cursor.end);
      }
    }
    if (tagEnd <= tagStart || tagEnd - tagStart > MAX_TAG_BYTES) return;
    if (simple !== null) {
      this.#find(bytes, view, tagStart, tagEnd)?.curve.pushFloat(step, simple, time);
      return;
    }
    if (plugin === 'hparams') {
      const tag = DECODER.decode(bytes.subarray(tagStart, tagEnd));
      if (tag === HPARAMS) this.hparams = readHparams(bytes.subarray(metadataStart, metadataEnd)) ?? this.hparams;
      return;
    }
    if (tensorEnd < tensorStart || (plugin !== '' && plugin !== 'scalars' && plugin !== 'text')) return;
    const value = readTensor(bytes, view, tensorStart, tensorEnd);
    if (typeof value === 'number') this.#find(bytes, view, tagStart, tagEnd)?.curve.push(step, value, time);
    else if (value) {
      const tag = DECODER.decode(bytes.subarray(tagStart, tagEnd));
      if (TEXTS.has(tag)) this.texts.set(tag, DECODER.decode(value));
    }
  }

  #find(bytes: Uint8Array, view: DataView, start: number, end: number): Series | null {
    const last = this.#last;
    const guess = last?.next ?? null;
    if (guess && isSame(guess, bytes, view, start, end)) {
      this.#last = guess;
      return guess;
    }
    // A copy: a part of a Buffer would keep the chunk in memory.
    const tagBytes = new Uint8Array(bytes.subarray(start, end));
    const tag = DECODER.decode(tagBytes);
    let series = this.#series.get(tag) ?? null;
    if (!series) {
      if (this.#series.size >= MAX_TAGS) {
        this.#tooMany = true;
        return null;
      }
      // HF's Trainer logs the epoch with each row: of training, of evaluation, and at the end.
      const curve = new Curve({ skipsRepeats: toMetricName(tag) === 'epoch' });
      series = { tag, tagBytes, words: toWords(tagBytes), curve, next: null };
      this.#series.set(tag, series);
      this.curves.set(tag, series.curve);
    }
    if (last) last.next = series;
    this.#last = series;
    return series;
  }
}

function toWords(tag: Uint8Array): Int32Array {
  const view = new DataView(tag.buffer, tag.byteOffset, tag.length);
  return Int32Array.from({ length: tag.length < 4 ? 0 : Math.ceil(tag.length / 4) }, (_, word) =>
    view.getInt32(Math.min(word * 4, tag.length - 4), true),
  );
}

/** Words take a quarter of the time of bytes, and this is done for each value. */
function isSame({ tagBytes, words }: Series, bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
  const { length } = tagBytes;
  if (length !== end - start) return false;
  if (length < 4) {
    for (let i = 0; i < length; i += 1) if (tagBytes[i] !== bytes[start + i]) return false;
    return true;
  }
  const last = words.length - 1;
  for (let i = 0; i < last; i += 1) if (words[i] !== view.getInt32(start + i * 4, true)) return false;
  return words[last] === view.getInt32(end - 4, true);
}

/** SummaryMetadata {1 plugin_data {1 plugin_name}}. */
function readPlugin(bytes: Uint8Array, view: DataView, start: number, end: number): string {
  const cursor = new FieldCursor(bytes, view, start, end);
  while (cursor.next()) {
    if (cursor.field !== 1 || cursor.wire !== BYTES) continue;
    const inner = new FieldCursor(bytes, view, cursor.start, cursor.end);
    while (inner.next()) {
      if (inner.field === 1 && inner.wire === BYTES && inner.end - inner.start < 100) {
        return DECODER.decode(bytes.subarray(inner.start, inner.end));
      }
    }
  }
  return '';
}

/**
 * SummaryMetadata {1 plugin_data {2 content}}; the content is HParamsPluginData {3 session_start_info {1 map of name to
 * google.protobuf.Value {2 number, 3 text, 4 boolean}}}.
 */
function readHparams(metadata: Uint8Array): JsonObject | null {
  const findAll = (messages: readonly (readonly ProtoField[])[], number: number) =>
    messages.flatMap((message) => findMessages(message, number));
  try {
    const starts = findAll(findAll(findAll([readFields(metadata)], 1), 2), 3);
    if (starts.length === 0) return null;
    const entries = findAll(starts, 1).slice(0, MAX_HPARAMS);
    return Object.fromEntries(
      entries.map((entry) => {
        const value = findMessages(entry, 2).at(-1)?.at(-1);
        const shown = value?.number === 4 ? value.value === 1 : value?.number === 2 ? value.value : null;
        return [findText(entry, 1), value?.number === 3 ? toProtoText(value) : shown];
      }),
    );
  } catch {
    // Its bytes are damaged.
    return null;
  }
}

/**
 * TensorProto: 1 dtype, 2 shape, 4 tensor_content, 5 float_val, 6 double_val, 7 int_val, 8 string_val, 10 int64_val.
 * The number of a scalar, the bytes of a text, null for anything else.
 */
function readTensor(bytes: Uint8Array, view: DataView, start: number, end: number): number | Uint8Array | null {
  const cursor = new FieldCursor(bytes, view, start, end);
  let type = 0;
  let number: number | null = null;
  let count = 0;
  let text: Uint8Array | null = null;
  let content: readonly [number, number] | null = null;
  while (cursor.next()) {
    const size = cursor.end - cursor.start;
    if (cursor.field === 1 && cursor.wire === VARINT) type = cursor.value;
    else if (cursor.field === 4 && cursor.wire === BYTES) content = [cursor.start, size];
    else if (cursor.field === 5 || cursor.field === 6) {
      const width = cursor.field === 5 ? 4 : 8;
      if (size < width) continue;
      number = width === 4 ? view.getFloat32(cursor.start, true) : view.getFloat64(cursor.start, true);
      count += size / width;
    } else if ((cursor.field === 7 || cursor.field === 10) && cursor.wire === VARINT) {
      number = cursor.value;
      count += 1;
    } else if (cursor.field === 8 && cursor.wire === BYTES && size <= MAX_TEXT) {
      text ??= bytes.slice(cursor.start, cursor.end);
    }
  }
  if (type === STRING) return text;
  if (content) {
    const [at, size] = content;
    if (type === FLOAT && size === 4) return toShortFloat(view.getFloat32(at, true));
    if (type === DOUBLE && size === 8) return view.getFloat64(at, true);
    if (type === INT32 && size === 4) return view.getInt32(at, true);
    return type === INT64 && size === 8 ? Number(view.getBigInt64(at, true)) : null;
  }
  if (number === null || count !== 1) return null;
  return type === FLOAT ? toShortFloat(number) : number;
}
