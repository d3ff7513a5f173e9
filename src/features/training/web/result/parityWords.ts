// What is said of the files of a model: whether they answer as the training did. Pure.
import type { ExportParity } from '#core/contract/exportParity.ts';
import { formatShare, toPercent } from '#core/contract/numberNotation.ts';
import { formatCounted } from '#ui/kit/format.ts';

type FormatParity = ExportParity['formats'][number];

/** `98 % of 50 prompts`. */
export const toEqualText = ({ equal }: FormatParity, { prompts }: ExportParity): string =>
  `${formatShare(equal)} of ${formatCounted(prompts, 'prompt')}`;

/** `96 %, 98 % before`. */
export const toRightText = ({ exact_match }: FormatParity, parity: ExportParity): string =>
  `${formatShare(exact_match)}, ${formatShare(parity.exact_match)} before`;

/** `2 points (−1 to 6)`: what was lost, and 95 % of what chance would give. */
export function toLostText({ lost, lost_from: from, lost_to: to }: FormatParity): string {
  const range = `95 %: ${toPercent(from)} to ${toPercent(to)}`;
  if (Math.abs(lost) < 0.0005) return `nothing (${range})`;
  const points = formatCounted(Number(toPercent(Math.abs(lost))), 'point');
  return `${lost < 0 ? `gained ${points}` : points} (${range})`;
}

/** One sentence for the whole: how many files were asked, and whether one lost more than it should. */
export function toParityLead(parity: ExportParity): string {
  const { prompts, formats } = parity;
  const asked = `${formatCounted(prompts, 'validation prompt')} ${prompts === 1 ? 'was' : 'were'} answered by the trainer, and by each file after the export.`;
  const bad = formats.filter(({ is_refused }) => is_refused).map(({ format }) => format);
  if (formats.length === 0) return `${asked} No file could be tested.`;
  if (bad.length > 0) return `${asked} These files answer worse, by more than chance explains: ${bad.join(', ')}.`;
  const isSame = formats.every(({ equal }) => equal === 1);
  return `${asked} ${isSame ? 'All answers are equal.' : 'No file lost more than chance explains.'}`;
}
