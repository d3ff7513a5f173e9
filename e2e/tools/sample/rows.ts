// The rows of the sample's datasets as JSON lines: the same on every machine. Validation prompts are never trained on.
import { openDraw, toUnlike, type Draw } from './draw.ts';
import { ORDERS_SYSTEM, toOrderPair } from './orderRows.ts';
import type { Pair } from './pair.ts';
import { REPLIES_SYSTEM, toReplyPair } from './replyRows.ts';
import { TRIAGE_SYSTEM, toTriagePair } from './triageRows.ts';

export const DATASETS = ['triage', 'orders', 'replies'] as const;
export type DatasetName = (typeof DATASETS)[number];

interface Dataset {
  readonly system: string;
  readonly toPair: (draw: Draw) => Pair;
  readonly seed: number;
}

export const DATASET: Readonly<Record<DatasetName, Dataset>> = {
  triage: { system: TRIAGE_SYSTEM, toPair: toTriagePair, seed: 101 },
  orders: { system: ORDERS_SYSTEM, toPair: toOrderPair, seed: 202 },
  replies: { system: REPLIES_SYSTEM, toPair: toReplyPair, seed: 303 },
};

export interface RowCounts {
  readonly training: number;
  readonly heldOut: number;
}

const toRowLine = (system: string, { prompt, answer }: Pair): string =>
  JSON.stringify({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
      { role: 'assistant', content: answer },
    ],
  });

export function toDatasetLines(
  name: DatasetName,
  { training, heldOut }: RowCounts,
): { readonly training: readonly string[]; readonly heldOut: readonly string[] } {
  const { system, toPair, seed } = DATASET[name];
  const draw = openDraw(seed);
  const lines = toUnlike(training + heldOut, () => toPair(draw)).map((pair) => toRowLine(system, pair));
  return { training: lines.slice(0, training), heldOut: lines.slice(training) };
}
