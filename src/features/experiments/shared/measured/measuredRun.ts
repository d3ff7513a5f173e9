// A run whose result is known, and the facts of its data that tell how near it is to another. Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';

export interface TaskFacts {
  /** Training rows, at least 1. */
  readonly rows: number;
  /** The mean of a training row in UTF-8 bytes. */
  readonly bytes_per_row: number;
  /** null: not known, as of imported runs. */
  readonly answer_shape: AnswerShape | null;
  /** null: not known. */
  readonly tokens_per_row: number | null;
  /** Weights of the base model. */
  readonly parameters: number;
}

export interface Settings {
  readonly lora: boolean;
  readonly learning_rate: number;
  readonly batch_size: number;
  readonly n_epochs: number;
}

export interface MeasuredRun extends Settings {
  /** Runs on the same rows and base have the same name, and only they are compared with each other. */
  readonly task: string;
  /** `calibration`: of the tasks that come with the studio. */
  readonly origin: 'calibration' | 'own' | 'imported';
  readonly facts: TaskFacts;
  /** On validation rows, in nats a token; null: the run failed. */
  readonly loss: number | null;
  /** Share of validation rows that are answered exactly; null: not measured. */
  readonly exact_match: number | null;
}
