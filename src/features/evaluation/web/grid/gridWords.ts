// Texts for the figures and messages of a grid. Pure.
import type { ToolCall } from '#core/contract/chatMessage.ts';
import { toPlainLine } from '#features/evaluation/shared/distinctStarts.ts';
import { adjustByHolm, toMcNemarP, toPText } from '#features/evaluation/shared/pairedTest.ts';
import type { PassRate } from '#features/evaluation/shared/passRate.ts';
import { toScoreText } from '#features/evaluation/shared/scoreText.ts';
import { formatCount, formatCounted, formatDuration } from '#ui/kit/format.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { bringsTools, readRowTools } from '#features/evaluation/shared/rowTools.ts';
import { fillTemplate } from '#features/evaluation/shared/template.ts';
import { parseListedCalls } from '#features/evaluation/shared/toolCalls.ts';
import { toCallLines, type GridCell, type Values } from './gridBook.ts';
import type { GridProgress } from './gridProgress.ts';
import type { Hold } from './gridBackoff.ts';
import { toFilling } from './gridRequest.ts';
import type { ColumnResult, PairedCount } from './gridTally.ts';

/** "82 % (69.2–90.2) of 50 checked answers"; null: nothing is checked yet. */
export const toRateText = (rate: PassRate): string | null => toScoreText(rate, 'checked answer');

/** "Left out: 3 without an answer, 2 not checked, 5 not asked yet": the rows that a pass rate doesn't count; null: none. */
export function toLeftOutText({ failed, unchecked, unasked, rate }: ColumnResult): string | null {
  const parts = [
    ...(failed > 0 ? [`${formatCount(failed)} without an answer`] : []),
    ...(unchecked > 0 ? [`${formatCount(unchecked)} not checked`] : []),
    ...(unasked > 0 && rate.total > 0 ? [`${formatCount(unasked)} not asked yet`] : []),
  ];
  return parts.length === 0 ? null : `${rate.total > 0 ? 'Left out: ' : ''}${parts.join(', ')}`;
}

/** The pass rate; "nothing to check" if no answer could be checked; null: nothing is checked yet. */
export function toResultText({ rate, unchecked }: Pick<ColumnResult, 'rate' | 'unchecked'>): string | null {
  return toRateText(rate) ?? (unchecked > 0 ? 'nothing to check' : null);
}

/** A column compared with the reference column. */
export interface Comparison {
  readonly pair: PairedCount;
  /** Index of the reference column, from 0. */
  readonly reference: number;
  /** The p value of this comparison alone. */
  readonly p: number;
  /** The p value adjusted for all comparisons with the reference column. */
  readonly adjusted: number;
  /** Number of those comparisons. */
  readonly comparisons: number;
}

/** Compares every column with the reference column; null: no row was judged in both. */
export function toComparisons(
  pairs: readonly (PairedCount | null)[],
  reference: number,
): readonly (Comparison | null)[] {
  const values = pairs.map((pair) => pair && toMcNemarP(pair.referenceAlone, pair.ownAlone));
  const adjusted = adjustByHolm(values);
  const comparisons = values.filter((p) => p !== null).length;
  return pairs.map((pair, at) => {
    const [p, own] = [values[at] ?? null, adjusted[at] ?? null];
    return pair === null || p === null || own === null ? null : { pair, reference, p, adjusted: own, comparisons };
  });
}

/** "−2 rows vs. column 1 (p 0.5)"; with several comparisons the adjusted p: "(adj. p 1)". */
export function toPairText({
  pair: { referenceAlone, ownAlone },
  reference,
  adjusted,
  comparisons,
}: Comparison): string {
  const more = ownAlone - referenceAlone;
  const sign = more > 0 ? '+' : more < 0 ? '−' : '±';
  return (
    `${sign}${formatCounted(Math.abs(more), 'row')} vs. column ${reference + 1} ` +
    `(${comparisons > 1 ? 'adj. ' : ''}${toPText(adjusted)})`
  );
}

export function toPairTip(
  { pair: { rows, referenceAlone, ownAlone }, p, adjusted, comparisons }: Comparison,
  reference: string,
  own: string,
): string {
  const counts =
    `${formatCounted(rows, 'row')} checked in both columns: only ${reference} passes ` +
    `${formatCount(referenceAlone)}, only ${own} passes ${formatCount(ownAlone)}.`;
  const test = `${toPText(p)}: exact McNemar test, two-sided.`;
  if (comparisons < 2) return `${counts} ${test}`;
  return (
    `${counts} ${test} With ${comparisons} comparisons, one may look significant by chance. Adjusted for that ` +
    `(Holm): ${toPText(adjusted)}.`
  );
}

/** A rough text, because the duration is an estimate: "about 3 min left". */
function toRemainingText(ms: number): string {
  if (ms < 60_000) return `about ${Math.max(1, Math.round(ms / 1000))} s left`;
  return ms < 3_600_000 ? `about ${Math.round(ms / 60_000)} min left` : `about ${formatDuration(ms)} left`;
}

/**
 * "1,234 of 20,000 · about 3 min left · 4 cells without an answer"; `retries`: number of failed cells, if the run
 * requests only them.
 */
export function toProgressText(
  { settled, total, remainingMs }: GridProgress,
  failed: number,
  retries: number | null = null,
): string {
  const parts = [`${formatCount(settled)} of ${formatCount(total)}`];
  if (retries !== null) parts.push(`retrying ${formatCounted(retries, 'cell')}`);
  if (remainingMs !== null && settled < total) parts.push(toRemainingText(remainingMs));
  if (failed > 0) parts.push(`${formatCounted(failed, 'cell')} without an answer`);
  return parts.join(' · ');
}

/** "waiting for the service", or for one of its models. */
export const toHoldTitle = ({ model }: Pick<Hold, 'model'>): string =>
  model === null ? 'waiting for the service' : `waiting for ${model}`;

/** "waiting for the service, tries again in 2 min 00 s" */
export function toHoldText(hold: Omit<Hold, 'message'>): string {
  const when = `in ${formatDuration(Math.max(1, Math.ceil(hold.ms / 1000)) * 1000)}`.replace('.0 s', ' s');
  const reason = hold.isFromService ? ', which asks to wait' : hold.cause === 'busy' ? ', which is busy' : '';
  return `${toHoldTitle(hold)}${reason}, tries again ${when}`;
}

const MAX_PROMPT = 80;

/** Says that answers to an earlier prompt stay. */
export function toEarlierText(prompt: string, answers: number): string {
  const shown = prompt.length > MAX_PROMPT ? `${prompt.slice(0, MAX_PROMPT)}…` : prompt;
  return (
    `The prompt has changed. Pass rates do not count ${formatCounted(answers, 'answer')} to the earlier prompt ` +
    `“${shown}”. The next run replaces them.`
  );
}

/** Says that a file was saved; `guarded`: number of texts that got an apostrophe. */
export function toSavedText(name: string, guarded: number): string {
  if (guarded === 0) return `${name} saved`;
  return (
    `${name} saved. ${formatCounted(guarded, 'text')} beginning with = + - or @ got an apostrophe in front, so ` +
    'that no spreadsheet runs a formula. JSONL has the exact texts.'
  );
}

export const toRowsText = (count: number): string => formatCounted(count, 'row');

/** A row's expected answer as a cell shows it. Tool calls look like those of answers. */
export function toExpectedText(expected: string): string {
  const calls = parseListedCalls(expected);
  return calls === null
    ? expected
    : calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`).join('\n');
}

/** Whether a chat calls or expects tools but brings none. The column then sends its pane's tools. */
export function needsTools(row: PromptRow): boolean {
  const { messages, expected } = row;
  if (messages === null || bringsTools(row)) return false;
  if (messages.some(({ tool_calls: calls = [] }) => calls.length > 0)) return true;
  return expected !== null && parseListedCalls(expected) !== null;
}

export interface ToolCount {
  /** Rows with tools that can be sent. */
  readonly own: number;
  /** Rows with tools that can't be sent; `reason` is that of the first one. */
  readonly unusable: number;
  readonly reason: string;
  /** Rows that call tools but bring none. */
  readonly lacking: number;
}

/** `prompt`: the prompt of rows that are not chats. */
export function countTools(rows: readonly PromptRow[], prompt = ''): ToolCount {
  const reads = rows.filter((row) => bringsTools(row, [prompt])).map((row) => readRowTools(row, [prompt]));
  const reasons = reads.flatMap((read) => (read.ok ? [] : [read.reason]));
  return {
    own: reads.length - reasons.length,
    unusable: reasons.length,
    reason: reasons[0] ?? '',
    lacking: rows.filter(needsTools).length,
  };
}

/** A row's question, as a cell shows it: the last user message, or the prompt with its variables filled. */
export function toQuestion(row: PromptRow, prompt: string, values?: Values): string {
  return row.messages === null ? fillTemplate(prompt, toFilling(row, values)) : (row.messages.at(-1)?.content ?? '');
}

/** A message's text, then one line per tool call. */
export function toMessageText(content: string | null | undefined, calls: readonly ToolCall[]): string {
  return [content ?? '', ...calls.map((call) => `${call.function.name} ${call.function.arguments}`)]
    .filter((part) => part.trim() !== '')
    .join('\n');
}

/** A cell shows only the first lines, so the rest need not be laid out. */
const MAX_SHOWN = 400;

/**
 * An answer as a cell shows it: tool calls, then the text without markdown, which the cell doesn't render. The dialog
 * shows the original.
 */
export function toCellText(cell: GridCell): string {
  if (cell.state === 'failed') return cell.message.trim().slice(0, MAX_SHOWN);
  if (cell.state !== 'done') return '';
  const { answer } = cell;
  const text = [...toCallLines(answer), toPlainLine(answer.text.trim().slice(0, 2 * MAX_SHOWN))].join('\n').trim();
  return text.slice(0, MAX_SHOWN) || '(empty answer)';
}
