// The input of an export, and the shape of an export format.
import { toRateMeaning, type RateChoice, type RateMeaning } from '#core/contract/rateMeaning.ts';
import type { StudioFacts } from '#core/contract/sessionInfo.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import type { FileLanguage } from './fileLanguages.ts';
import type { RowFiles } from '#features/experiments/shared/rowFiles.ts';

export interface ExportInput {
  /** The snapshot of all candidates; null if they have their own, or none is known. */
  readonly snapshot_id: string | null;
  /** Name for the job that the text would start. */
  readonly name: string;
  readonly candidates: readonly Candidate[];
  /** What `learning_rate_multiplier` means here. */
  readonly rate: RateMeaning;
  /**
   * Number of validation rows by the snapshot's id. Snapshots without any, or with an unknown number, are left out.
   */
  readonly validation: ReadonlyMap<string, number>;
  /** The files of rows that the studio offers, by the snapshot's id; none from a studio without its rows. */
  readonly rowFiles: ReadonlyMap<string, RowFiles>;
  /** The address of the studio, such as `https://studio.example.com`. */
  readonly baseUrl: string;
  /** The studio is a remote one behind this service. It accepts its own key, not this service's token. */
  readonly isRemote: boolean;
  /** The candidates are runs of a folder: configs hold what those recorded, and nothing else. */
  readonly isOfFolder?: boolean;
  /** A run whose settings changed lines are compared with. Only for runs of a folder. */
  readonly baseline?: Candidate | null;
}

/** `start`: starts the training; `config`: a trainer's config; `table`: all fields of the candidates. */
export type ExportKind = 'start' | 'config' | 'table';

export interface ExportFormat {
  readonly id: string;
  readonly label: string;
  readonly kind: ExportKind;
  readonly language: FileLanguage;
  readonly fileName: string;
  readonly mediaType: string;
  readonly toText: (input: ExportInput) => string;
  /** What a person must still fill in, in sentences; null if nothing is missing. */
  readonly findGap: (input: ExportInput) => string | null;
  /** True if the text needs the learning rate and the meaning of the multiplier is unknown, so a person is asked. */
  readonly asks: (input: ExportInput) => boolean;
  /** Why the format can't be used here; null if it can. */
  readonly findProblem: (input: ExportInput) => string | null;
}

/**
 * The address of the studio that answers, and the key for what a person said about it. `origin`: the address of this
 * service. `session` is null until it is loaded.
 */
export const toConnection = (session: StudioFacts | null, origin: string): string => session?.remote ?? origin;

export type ExportTarget = Pick<ExportInput, 'rate' | 'baseUrl' | 'isRemote'>;

/** The part of an export's input that depends on the service and on a person's choice about its rates. */
export function toExportTarget(session: StudioFacts | null, origin: string, choice: RateChoice | null): ExportTarget {
  return {
    rate: toRateMeaning(session?.learning_rate_is_absolute ?? null, choice),
    baseUrl: toConnection(session, origin),
    isRemote: (session?.remote ?? null) !== null,
  };
}
