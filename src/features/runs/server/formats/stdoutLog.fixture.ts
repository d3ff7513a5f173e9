// What HF's Trainer prints when its output goes to a file: tqdm's states end with \r, and are drawn again after each dict.

export interface PrintedRow {
  readonly step: number;
  readonly values: Readonly<Record<string, number>>;
}

/** `{v:.4g}` of Python. */
function toFourDigits(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  const short = Number(value.toPrecision(4));
  return Math.abs(short) < 1e-4 && short !== 0 ? short.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(short);
}

/** A dict of transformers 5, whose floats are texts, or 4, whose floats are numbers. */
export function printDict(values: Readonly<Record<string, number>>, version: 4 | 5): string {
  const items = Object.entries(values).map(([key, value]) => {
    const text = version === 5 ? `'${toFourDigits(value)}'` : Number.isNaN(value) ? 'nan' : String(value);
    return `'${key}': ${Number.isInteger(value) && key.startsWith('num_') ? value : text}`;
  });
  return `{${items.join(', ')}}`;
}

export const bar = (step: number, total: number, title = ''): string => {
  const percent = Math.floor((100 * step) / total);
  const full = '█'.repeat(Math.floor(percent / 10));
  return `\r${title}${String(percent).padStart(3)}%|${full.padEnd(10)}| ${step}/${total} [00:${String(step % 60).padStart(2, '0')}<01:00,  1.20it/s]`;
};

/** A log with bars that lag behind, as they do when steps are quicker than tqdm draws. */
export function printLog(rows: readonly PrintedRow[], total: number, version: 4 | 5 = 5): string {
  let text = 'Loading weights:   0%|          | 0/311 [00:00<?, ?it/s]\rLoading weights: 100%|██████████| 311/311\n';
  text += bar(0, total);
  for (const { step, values } of rows) {
    const isEvaluation = Object.keys(values).some((key) => key.startsWith('eval_'));
    if (isEvaluation) text += `${bar(1, 7)}${bar(7, 7)}`;
    text += bar(Math.max(0, step - 3), total);
    text += `\r${' '.repeat(60)}\r${printDict(values, version)}\n`;
    text += bar(step, total);
  }
  return text;
}

export const printedRows = (count: number, from = 0): PrintedRow[] =>
  Array.from({ length: count }, (_, i) => {
    const step = from + 10 * (i + 1);
    return {
      step,
      values: { loss: 2 - step / 1000, grad_norm: step === 30 ? NaN : 0.5, learning_rate: 4.91e-5, epoch: step / 100 },
    };
  });

export const TRACEBACK = `Traceback (most recent call last):
  File "/data/me/train.py", line 40, in <module>
    trainer.train()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
`;
