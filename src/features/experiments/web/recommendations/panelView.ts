// What the panel shows for the state of its query. Pure.
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { toStateWord } from '#core/contract/statuses.ts';
import { formatCounted } from '#ui/kit/format.ts';

export interface QueryFacts {
  readonly data: ReadRecommendation | undefined;
  /** The last failure after all retries; null once an answer came. */
  readonly error: Error | null;
  /** The failure before the running request: without it each new try would flash a skeleton. */
  readonly earlierError: Error | null;
  /** Why the running request had to be repeated. */
  readonly failureReason: Error | null;
  readonly isMissing: (error: Error) => boolean;
}

export type PanelView =
  | { readonly kind: 'loading'; readonly repeatedBecause: string | null }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failure'; readonly error: Error }
  | {
      readonly kind: 'record';
      readonly record: ReadRecommendation;
      /** Why `record` may be out of date; null if it is the service's latest answer. */
      readonly staleBecause: Error | null;
    };

/** An error never removes data: the data stays and is marked stale. */
export function toPanelView({ data, error, earlierError, failureReason, isMissing }: QueryFacts): PanelView {
  if (data) return { kind: 'record', record: data, staleBecause: error };
  const failure = error ?? earlierError;
  if (failure) return isMissing(failure) ? { kind: 'missing' } : { kind: 'failure', error: failure };
  return { kind: 'loading', repeatedBecause: failureReason?.message ?? null };
}

/** One sentence for a screen reader whenever the state (not the elapsed time) changes. */
export function toAnnouncement(view: PanelView): string {
  switch (view.kind) {
    case 'loading':
      return 'Loading recommendations.';
    case 'missing':
      return 'There is no recommendation for this snapshot yet.';
    case 'failure':
      return 'Recommendations could not be loaded.';
    case 'record': {
      if (view.staleBecause) return 'Recommendations could not be refreshed; the last answer is shown.';
      const { status, recommended_models, recommended_experiments } = view.record;
      if (status === 'processing') return 'Recommendations are being computed.';
      if (status === 'failed') return 'Recommendations failed.';
      return (
        `Recommendations ${toStateWord(status)}: ${formatCounted(recommended_models.length, 'base model')}, ` +
        `${formatCounted(recommended_experiments.length, 'run')}.`
      );
    }
    default: {
      const impossible: never = view;
      return impossible;
    }
  }
}
