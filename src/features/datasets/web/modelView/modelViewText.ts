// What is said of a row as a model sees it. Pure.
import type { RowView } from '#features/datasets/shared/contract/rowView.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

/** "69 tokens, 27 of them trained. The context of 512 cuts nothing." */
export function toSeenText({ tokens, trained, cut, trained_cut, context }: RowView): string {
  const count = `${formatCounted(tokens, 'token')}, ${formatCount(trained)} of them trained.`;
  if (context === null) return `${count} The file of the model does not say how long its context is.`;
  if (cut === 0) return `${count} The context of ${formatCount(context)} cuts nothing.`;
  const lost =
    trained_cut === 0
      ? 'none of them trained'
      : trained_cut === trained
        ? 'with all that is trained'
        : `${formatCount(trained_cut)} of them trained`;
  return `${count} The context of ${formatCount(context)} cuts the last ${formatCounted(cut, 'token')}, ${lost}.`;
}

/** What is wrong with the row for this model, as sentences. */
export function toSeenProblems({ problem, dropped, trained, trained_cut, template }: RowView): readonly string[] {
  const problems: string[] = [];
  if (problem) problems.push(problem.message);
  else if (trained > 0 && trained_cut === trained)
    problems.push('Everything to train on lies beyond the context, so nothing of this row is trained.');
  if (!problem && dropped.length > 0) {
    const places = dropped.map((place) => formatCount(place + 1)).join(', ');
    problems.push(
      `The chat template leaves out or changes the answer in message ${places}, so it is not trained there.`,
    );
  }
  if (template === 'chatml')
    problems.push('The file of this model has no chat template. The studio uses ChatML, as it does in chats.');
  return problems;
}

export interface ShownPiece {
  readonly text: string;
  readonly isTrained: boolean;
  readonly isCut: boolean;
}

/** Tokens that are shown one by one; each is an element of the page. */
const MAX_SHOWN = 3000;

/** The stretches of the row, or its tokens one by one; the text after the last of them in one piece. */
export function toPieces({ spans }: RowView, isByToken: boolean): readonly ShownPiece[] {
  const pieces: ShownPiece[] = [];
  for (const { text, is_trained: isTrained, is_cut: isCut, tokens } of spans) {
    let at = 0;
    const ends = isByToken ? tokens.slice(0, Math.max(0, MAX_SHOWN - pieces.length)) : [];
    for (const end of ends) {
      if (end > at) pieces.push({ text: text.slice(at, end), isTrained, isCut });
      at = end;
    }
    if (at < text.length) pieces.push({ text: text.slice(at), isTrained, isCut });
  }
  return pieces;
}
