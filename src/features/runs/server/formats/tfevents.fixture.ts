// Event files with the bytes that torch's and TensorFlow's summary writers make, CRCs included.

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function varint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const byte = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest > 0n ? byte | 128 : byte);
  } while (rest > 0n);
  return Uint8Array.from(out);
}

export const joinBytes = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

export const bytesField = (field: number, value: Uint8Array | string): Uint8Array => {
  const bytes = typeof value === 'string' ? bytesOf(value) : value;
  return joinBytes(varint(field * 8 + 2), varint(bytes.length), bytes);
};

export const varintField = (field: number, value: number): Uint8Array => joinBytes(varint(field * 8), varint(value));

function fixedField(field: number, value: number, size: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  if (size === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return joinBytes(varint(field * 8 + (size === 4 ? 5 : 1)), bytes);
}

function floats(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

/** CRC-32C bit by bit: slow, and independent of the reader's tables. */
function maskedCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** `length`: another length than the data's, with a right CRC. */
export function record(data: Uint8Array, length = data.length): Uint8Array {
  const header = new Uint8Array(8);
  new DataView(header.buffer).setBigUint64(0, BigInt(length), true);
  return joinBytes(header, uint32(maskedCrc(header)), data, uint32(maskedCrc(data)));
}

/** `time` in seconds. Step 0 is not written, as protobuf does. */
export const event = (time: number, step: number, ...fields: readonly Uint8Array[]): Uint8Array =>
  joinBytes(fixedField(1, time, 8), step === 0 ? new Uint8Array() : varintField(2, step), ...fields);

export const versionEvent = (time: number): Uint8Array => record(event(time, 0, bytesField(3, 'brain.Event:2')));

const plugin = (name: string): Uint8Array => bytesField(9, bytesField(1, bytesField(1, name)));

const value = (tag: string, ...fields: readonly Uint8Array[]): Uint8Array =>
  bytesField(5, bytesField(1, joinBytes(bytesField(1, tag), ...fields)));

/** torch `add_scalar`. */
export const scalar = (time: number, step: number, tag: string, number: number): Uint8Array =>
  record(event(time, step, value(tag, fixedField(2, number, 4))));

/** `tf.summary.scalar` of TensorFlow 2. */
export const tensorContentScalar = (time: number, step: number, tag: string, number: number): Uint8Array =>
  record(
    event(
      time,
      step,
      value(
        tag,
        bytesField(8, joinBytes(varintField(1, 1), bytesField(2, ''), bytesField(4, floats(number)))),
        plugin('scalars'),
      ),
    ),
  );

/** TensorBoard's own writer, and torch with `new_style=True`. */
export const floatValScalar = (time: number, step: number, tag: string, ...numbers: readonly number[]): Uint8Array =>
  record(
    event(
      time,
      step,
      value(tag, bytesField(8, joinBytes(varintField(1, 1), bytesField(5, floats(...numbers)))), plugin('scalars')),
    ),
  );

/** torch `add_text`. */
export const text = (time: number, tag: string, content: string): Uint8Array => {
  const shape = bytesField(2, bytesField(2, varintField(1, 1)));
  const tensor = joinBytes(varintField(1, 7), shape, bytesField(8, content));
  return record(event(time, 0, value(`${tag}/text_summary`, bytesField(8, tensor), plugin('text'))));
};

/** torch `add_hparams`: the settings are in the metadata. */
export const hparams = (time: number, settings: Readonly<Record<string, number | string | boolean>>): Uint8Array => {
  const toSetting = (setting: number | string | boolean): Uint8Array =>
    typeof setting === 'number'
      ? fixedField(2, setting, 8)
      : typeof setting === 'string'
        ? bytesField(3, setting)
        : varintField(4, Number(setting));
  const entries = Object.entries(settings).map(([name, setting]) =>
    bytesField(1, joinBytes(bytesField(1, name), bytesField(2, toSetting(setting)))),
  );
  const content = bytesField(3, joinBytes(...entries));
  const metadata = bytesField(9, bytesField(1, joinBytes(bytesField(1, 'hparams'), bytesField(2, content))));
  return record(event(time, 0, value('_hparams_/session_start_info', metadata)));
};

/** torch `add_histogram`: nothing for us. */
export const histogram = (time: number, step: number, tag: string): Uint8Array =>
  record(event(time, step, value(tag, bytesField(5, fixedField(1, 0, 8)))));

/** `SummaryWriter(purge_step=...)`: SessionLog.START. */
export const restart = (time: number, step: number): Uint8Array =>
  record(event(time, step, bytesField(7, varintField(1, 1))));

export interface LoggedRow {
  readonly step: number;
  readonly values: Readonly<Record<string, number>>;
}

export const HF_ARGUMENTS = {
  output_dir: '/data/me/out/sft',
  learning_rate: 0.0002,
  num_train_epochs: 3.0,
  max_steps: -1,
  per_device_train_batch_size: 4,
  lr_scheduler_kwargs: null,
  run_name: 'sft',
  hub_token: '<HUB_TOKEN>',
  packing: true,
  completion_only_loss: null,
  report_to: ['tensorboard'],
};

const HF_MODEL = { architectures: ['LlamaForCausalLM'], model_type: 'llama', transformers_version: '5.18.0' };

/** The file that HF's TensorBoardCallback writes: one event for each value, 10 s from row to row. */
export function hfEventFile(
  start: number,
  rows: readonly LoggedRow[],
  settings: { args?: object | null; model?: object } = {},
): Uint8Array {
  const { args = HF_ARGUMENTS, model = HF_MODEL } = settings;
  const texts = args
    ? [text(start, 'args', JSON.stringify(args, null, 2)), text(start, 'model_config', JSON.stringify(model, null, 2))]
    : [];
  const scalars = rows.flatMap(({ step, values }, index) =>
    Object.entries(values).map(([tag, number]) => scalar(start + 10 * (index + 1), step, tag, number)),
  );
  return Uint8Array.from(Buffer.concat([[versionEvent(start)], texts, scalars].flat()));
}

/** `count` rows of training, from the step after `from`, 10 steps apart. */
export const trainRows = (count: number, from = 0): LoggedRow[] =>
  Array.from({ length: count }, (_, i) => ({
    step: from + 10 * (i + 1),
    values: { 'train/loss': 2 - i / 100, 'train/learning_rate': 0.0002, 'train/epoch': (from + 10 * (i + 1)) / 100 },
  }));

export const SUMMARY_VALUES = {
  'train/train_runtime': 63.5,
  'train/train_samples_per_second': 12.6,
  'train/train_steps_per_second': 0.4,
  'train/total_flos': 1.25e15,
  'train/train_loss': 1.75,
};
