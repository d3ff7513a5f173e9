// What the studio knows of trainers: a command, and which base models it can train.

/** A base model as a trainer gets it. Paths are absolute. */
export interface TrainingBase {
  readonly id: string;
  /** GGUF file with the weights; null: this studio has none. */
  readonly file: string | null;
  /** GGUF adapter on `file`. */
  readonly adapter: string | null;
}

export interface Trainer {
  /** For people: what trains. */
  readonly name: string;
  /** Program and arguments; the path of the job file comes after them. */
  readonly command: readonly string[];
  /** The ids of the only bases that it trains, of these; null: it decides for itself when it runs. */
  readonly canTrain: ((base: TrainingBase) => Promise<boolean>) | null;
}

/** A request that can't be done. The message says why and what to do. */
export class TrainingProblem extends Error {
  override readonly name = 'TrainingProblem';
  constructor(
    readonly status: 400 | 404 | 409 | 422,
    message: string,
    readonly code: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

/** What people read while nothing here trains a base. */
export function toNoTrainerReason(trainer: Trainer | null, baseId: string): string {
  return trainer === null
    ? 'Nothing trains here. Start the service with --trainer CMD, a command that trains jobs.'
    : `No trainer here can train ${baseId}: ${trainer.name} can not. Start the service with --trainer CMD, a command ` +
        'that can, or use a base model that is served here from a GGUF file.';
}
