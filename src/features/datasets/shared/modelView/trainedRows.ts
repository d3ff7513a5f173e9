// Whether a training of these rows with this template would train anything at all. It is asked before a start: trainers
// run for hours over rows of which nothing is trained, and say nothing.
import type { TokenView } from './tokenView.ts';
import type { ModelView, ViewProblem } from './whatModelSees.ts';

export interface TrainedRows {
  readonly rows: number;
  /** Rows of which at least one token is trained. */
  readonly trained: number;
  /** The other rows by the reason. */
  readonly reasons: Readonly<Record<ViewProblem['kind'] | 'cut', number>>;
  /** Rows of which an answer is left out, though others are trained. */
  readonly partly: number;
  /** What the template said when it first refused a row. */
  readonly refusal: string | null;
}

export const NO_TRAINED_ROWS: TrainedRows = {
  rows: 0,
  trained: 0,
  reasons: { refused: 0, 'no-answer': 0, dropped: 0, masked: 0, comparison: 0, cut: 0 },
  partly: 0,
  refusal: null,
};

/** Adds a row. `tokens` null: they were not counted, so nothing is known to be cut. */
export function reduceTrained(
  sum: TrainedRows,
  view: Pick<ModelView, 'problem' | 'dropped'>,
  tokens: Pick<TokenView, 'trained' | 'trainedCut'> | null,
): TrainedRows {
  const isCut = tokens !== null && tokens.trained > 0 && tokens.trainedCut === tokens.trained;
  const reason = view.problem?.kind ?? (isCut ? 'cut' : null);
  const isRefused = view.problem?.kind === 'refused';
  return {
    rows: sum.rows + 1,
    trained: sum.trained + (reason === null ? 1 : 0),
    reasons: reason === null ? sum.reasons : { ...sum.reasons, [reason]: sum.reasons[reason] + 1 },
    partly: sum.partly + (reason === null && view.dropped.length > 0 ? 1 : 0),
    refusal: sum.refusal ?? (isRefused ? (view.problem?.message ?? null) : null),
  };
}

const WHY: Readonly<Record<keyof TrainedRows['reasons'], string>> = {
  refused: 'the chat template refuses the messages. Correct the order of roles, or take another base model.',
  'no-answer': 'there is no assistant message. Add the answers.',
  dropped: 'the chat template leaves the answers out. Take another base model, or a template with answers.',
  masked: 'marks such as "weight": 0 forbid to learn the answers. Allow those that are to be learnt.',
  comparison:
    'there is a pair of answers for DPO, or one with a label for KTO. Choose that objective, or import the file again ' +
    'with the preferred answers alone.',
  cut: 'the answers begin beyond the context. Shorten the rows, or take a base model with a longer context.',
};

/** Why a training must not start, with what to do, as sentences; null if something is trained. */
export function toNothingTrained({ rows, trained, reasons, refusal }: TrainedRows): string | null {
  if (trained > 0) return null;
  if (rows === 0) return 'Nothing would be trained: there are no training rows.';
  const kinds = Object.keys(WHY) as (keyof typeof WHY)[];
  const [first] = kinds.toSorted((a, b) => reasons[b] - reasons[a]);
  if (!first) return null;
  const share = reasons[first] === rows ? `all ${rows}` : `${reasons[first]} of ${rows}`;
  const said = first === 'refused' && refusal !== null ? ` ${refusal}` : '';
  return `Nothing would be trained. In ${share} rows ${WHY[first]}${said}`;
}
