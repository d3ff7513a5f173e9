// A candidate for tests, of which only what a test is about has to be said.
// It must not be used by the product.
import type { Candidate } from './candidates.ts';

export function toTestCandidate(key: string, more: Partial<Candidate> = {}): Candidate {
  return {
    key,
    origin: 'proposal',
    snapshot_id: 'snap',
    label: null,
    experiment_id: null,
    dataset: null,
    location: null,
    status: null,
    model_id: null,
    place: 1,
    repeat: 1,
    base_model_id: 'qwen3-0.6b',
    training_type: 'lora',
    n_epochs: 3,
    batch_size: 8,
    learning_rate_multiplier: 2e-4,
    recommended: false,
    reason_for_recommendation: null,
    status_cause: null,
    failure: null,
    right_rows: null,
    chosen: {},
    extras: [],
    ...more,
  };
}
