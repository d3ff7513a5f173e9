// What the dialog that starts runs has to begin with, for the state of the request behind it. Pure.
import type { ReadJob } from '#core/contract/jobReader.ts';
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import type { RunRow } from './runRows.ts';

export interface OfferProblem {
  readonly kind: 'problem';
  readonly title: string;
  readonly detail: string;
  readonly hint: string;
  /** `load`: the same request once more. `ask`: the service is asked for another recommendation. */
  readonly retry: 'load' | 'ask';
}

export type OfferView<Answer> =
  | { readonly kind: 'loading' }
  /** The service has the request, and goes on with it. */
  | { readonly kind: 'computing' }
  | OfferProblem
  | { readonly kind: 'answer'; readonly answer: Answer };

/** What a query knows. `error`: of the last request, or of the one before where the query has no data and asks again. */
interface QueryFacts<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
}

export const LOADING = { kind: 'loading' } as const;

const toProblem = (title: string, error: Error): OfferProblem => ({
  kind: 'problem',
  title,
  ...toErrorWords(error),
  retry: 'load',
});

/** The first answer for a snapshot that nobody has opened says `processing`, and its lists are empty. */
export function toRecommendationView({ data, error }: QueryFacts<ReadRecommendation>): OfferView<ReadRecommendation> {
  const isComputing = isActiveStatus(data?.status);
  if (error && (!data || isComputing)) return toProblem('The recommendation could not be loaded', error);
  if (!data) return LOADING;
  if (isComputing) return { kind: 'computing' };
  if (data.status !== 'failed' || data.recommended_models.length + data.recommended_experiments.length > 0)
    return { kind: 'answer', answer: data };
  return {
    kind: 'problem',
    title: 'The service could not make recommendations for this snapshot',
    detail: data.error ?? 'It gave no reason. Its log may say more.',
    hint: 'Ask again, or add the runs that you want yourself.',
    retry: 'ask',
  };
}

/** `data` null: the service does not have the job. */
export function toJobView({ data, error }: QueryFacts<ReadJob | null>): OfferView<ReadJob> {
  if (data) return { kind: 'answer', answer: data };
  const title = 'The runs of the job could not be loaded';
  if (error) return toProblem(title, error);
  if (data === undefined) return LOADING;
  return {
    kind: 'problem',
    title,
    detail: 'This studio does not have the job. It may have been deleted.',
    hint: 'Try again, or add the runs that you want yourself.',
    retry: 'load',
  };
}

/** The request for another recommendation failed. */
export const toAskProblem = (error: unknown): OfferProblem => ({
  kind: 'problem',
  title: 'The request for a recommendation failed',
  ...toErrorWords(error),
  retry: 'ask',
});

/** What the rows have taken from the answer. */
export interface TakenOffer {
  readonly rows: readonly RunRow[];
  /** A person had added runs before it came. */
  readonly isBelow: boolean;
}

/** What is kept of a job that is run again, beside its runs. */
export interface Again {
  readonly name: string;
  readonly launcher: string | null;
  /** Of its successive halving; null: it had none. */
  readonly eta: number | null;
}

export const toAgain = (job: ReadJob | null | undefined): Again => ({
  name: job?.name ?? 'a job',
  launcher: job?.launcher ?? null,
  eta: job?.halving?.eta ?? null,
});

/** The sentences above the rows. `offer` null: there is no answer. `again`: the name of the job that is run again. */
export function toLead(offer: TakenOffer | null, again: string | null): string {
  const add = 'Add the runs that you want: nothing is trained before you press Start.';
  if (offer === null) return add;
  if (offer.rows.length === 0)
    return `${again === null ? 'No run is recommended here.' : `${again} has no runs.`} ${add}`;
  const end = 'Change them as you like: nothing is trained before you press Start.';
  if (offer.isBelow)
    return `${again === null ? 'The recommended runs' : `The runs of ${again}`} are below yours. Tick those that you want too. ${end}`;
  if (again !== null) return `The runs of ${again} once more. ${end}`;
  if (offer.rows.some(({ isOn }) => isOn)) return `Recommended runs are ticked. ${end}`;
  return `No run is recommended here: tick what you want to try. ${end}`;
}
