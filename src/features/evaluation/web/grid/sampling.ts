// What of a pane's settings a column sends. A sampled pass rate changes from run to run, so columns are greedy unless a
// person chooses otherwise. Validation rows measure a model, so nothing that was left in the chat goes with them. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { dropNarrowing } from '#core/contract/samplingParameters.ts';
import type { GridColumn, GridSetup, Sampling } from './gridBook.ts';
import { toSentText } from './sentSettings.ts';

/** A pane as a column, in each way. */
export interface ColumnOffer {
  readonly neutral: GridColumn;
  /** With the pane's settings; null: they can't be sent, for the reason in `problem`. */
  readonly pane: { readonly own: GridColumn; readonly greedy: GridColumn } | null;
  readonly problem: string | null;
}

type Choices = Pick<GridSetup, 'sampling' | 'isEvaluation'>;

/** With temperature 0 the likeliest token is taken, so nothing else about sampling matters. */
export function toGreedy(request: ChatRequest): ChatRequest {
  const { seed: _seed, ...rest } = dropNarrowing(request);
  return { ...rest, temperature: 0 };
}

const toText = (column: GridColumn | undefined): string => JSON.stringify(column?.request);

/** Whether another pane, whose settings differ, would get the same column: then a person compares the settings. */
function hasTwin(offer: ColumnOffer, offers: readonly ColumnOffer[], usual: (offer: ColumnOffer) => string): boolean {
  const [text, ownText] = [usual(offer), toText(offer.pane?.own)];
  return offers.some(
    (other) => other.neutral.id !== offer.neutral.id && usual(other) === text && toText(other.pane?.own) !== ownText,
  );
}

function chooseColumn(offer: ColumnOffer, offers: readonly ColumnOffer[], choices: Choices): GridColumn | null {
  const { neutral, pane } = offer;
  const { sampling = {}, isEvaluation } = choices;
  const chosen = Object.hasOwn(sampling, neutral.id) ? sampling[neutral.id] : undefined;
  const usual = isEvaluation
    ? (each: ColumnOffer) => toText(each.neutral)
    : (each: ColumnOffer) => toText(each.pane?.greedy);
  const way: Sampling = chosen ?? (hasTwin(offer, offers, usual) ? 'pane' : isEvaluation ? 'neutral' : 'greedy');
  if (way === 'neutral') return neutral;
  if (pane === null) return isEvaluation ? neutral : null;
  return way === 'greedy' ? pane.greedy : pane.own;
}

/** The columns of a grid. Panes of one model that differ only in what would be left out keep it. */
export const chooseColumns = (offers: readonly ColumnOffer[], choices: Choices = {}): readonly GridColumn[] =>
  offers.flatMap((offer) => chooseColumn(offer, offers, choices) ?? []);

/** Why panes have no column. */
export const findOfferProblems = (offers: readonly ColumnOffer[], { isEvaluation }: Choices): readonly string[] =>
  isEvaluation ? [] : offers.flatMap(({ problem }) => problem ?? []);

/** What a click on a column's sampling chooses. */
export const toOtherSampling = ({ sampling }: GridColumn, { isEvaluation }: Choices): Sampling =>
  sampling === 'pane' || sampling === undefined ? (isEvaluation ? 'neutral' : 'greedy') : 'pane';

/** For exports: `default` if the service decides. */
export function toSamplingWord({ temperature }: ChatRequest): 'greedy' | 'sampled' | 'default' {
  if (temperature == null) return 'default';
  return temperature === 0 ? 'greedy' : 'sampled';
}

/** "greedy", "temperature 0.7, sampled" or "default temperature". */
export function toSamplingText(request: ChatRequest): string {
  const word = toSamplingWord(request);
  if (word === 'default') return 'default temperature';
  return word === 'greedy' ? word : `temperature ${request.temperature}, sampled`;
}

/** How a column's head calls its settings. Over validation rows all that a person chose to send is named. */
export function toSettingsText({ request, sampling }: GridColumn, { isEvaluation }: Choices): string {
  if (sampling === 'neutral') return 'neutral settings';
  return isEvaluation ? `not neutral: ${toSentText(request)}` : toSamplingText(request);
}
