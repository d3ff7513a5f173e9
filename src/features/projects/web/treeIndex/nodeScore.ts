// What the model of a run reaches in the default evaluation of its dataset, as the tree shows it.
import { isObject } from '#core/contract/readJson.ts';
import { formatShare } from '#core/contract/numberNotation.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toScoreText } from '#features/evaluation/shared/scoreText.ts';

interface NodeScore {
  readonly short: string;
  /** With the interval, and of what it is. */
  readonly long: string;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** null: it has none, or a service sends another form. */
export function toNodeScore({ metadata }: Pick<TreeNode, 'metadata'>): NodeScore | null {
  const score = metadata['score'];
  if (!isObject(score)) return null;
  const { evaluation, passed, total, rate, low, high } = score;
  if (!isNumber(passed) || !isNumber(total) || !isNumber(rate) || !isNumber(low) || !isNumber(high)) return null;
  const text = toScoreText({ passed, total, rate, low, high }, 'answer');
  return text === null ? null : { short: formatShare(rate), long: `${text} passed in ${String(evaluation)}` };
}
