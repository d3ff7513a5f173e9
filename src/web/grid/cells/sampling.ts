// Whether a column answers greedily or as its pane samples. A sampled pass rate changes from run to run, so columns are
// greedy unless a person chooses otherwise. Pure.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import type { GridColumn, Sampling } from './gridBook.ts';

/** A pane as a column, in both ways. */
export interface ColumnOffer {
  readonly own: GridColumn;
  readonly greedy: GridColumn;
}

export type SamplingChoices = Readonly<Record<string, Sampling>>;

/** With temperature 0 the likeliest token is taken, so nothing else about sampling matters. */
export function toGreedy(request: ChatRequest): ChatRequest {
  const { top_p: _topP, seed: _seed, ...rest } = request;
  return { ...rest, temperature: 0 };
}

/** Whether greedy answers would be those of another pane, although the panes differ: then they differ in sampling. */
function hasTwin({ own, greedy }: ColumnOffer, offers: readonly ColumnOffer[]): boolean {
  const [text, ownText] = [JSON.stringify(greedy.request), JSON.stringify(own.request)];
  return offers.some(
    (other) =>
      other.own.id !== own.id &&
      JSON.stringify(other.greedy.request) === text &&
      JSON.stringify(other.own.request) !== ownText,
  );
}

/** The columns of a grid. Panes that differ only in sampling keep it: a person compares just that. */
export function chooseColumns(offers: readonly ColumnOffer[], choices: SamplingChoices = {}): readonly GridColumn[] {
  return offers.map((offer) => {
    const { id } = offer.own;
    const chosen = Object.hasOwn(choices, id) ? choices[id] : undefined;
    return (chosen ?? (hasTwin(offer, offers) ? 'pane' : 'greedy')) === 'greedy' ? offer.greedy : offer.own;
  });
}

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
