// What an export format takes and gives.
import { toRateMeaning, type RateChoice, type RateMeaning } from '#shared/contract/rateMeaning.ts';
import type { SessionInfo } from '#shared/contract/routes.ts';
import type { Candidate } from './candidates.ts';
import type { FileLanguage } from './fileLanguages.ts';

export interface ExportInput {
  /** The snapshot of all candidates; null where each has its own, or none is known. */
  readonly snapshot_id: string | null;
  /** Name for the job that the text would start. */
  readonly name: string;
  readonly candidates: readonly Candidate[];
  /** What `learning_rate_multiplier` means here. */
  readonly rate: RateMeaning;
  /**
   * Rows that each snapshot has for validation, by its id; a snapshot that is not in it has none, or its number is not
   * known.
   */
  readonly validation: ReadonlyMap<string, number>;
  /** Where the studio is, such as `https://studio.example.com`. */
  readonly baseUrl: string;
  /** That is a remote studio behind this service: it takes its own key, not this service's token. */
  readonly isRemote: boolean;
  /** It starts training when it is asked to over the API. */
  readonly takesJobs: boolean;
}

/** `start`: starts the training; `config`: a trainer's config; `table`: all that is known. */
export type ExportKind = 'start' | 'config' | 'table';

export interface ExportFormat {
  readonly id: string;
  readonly label: string;
  readonly kind: ExportKind;
  readonly language: FileLanguage;
  readonly fileName: string;
  readonly mediaType: string;
  readonly toText: (input: ExportInput) => string;
  /** What the receiver still has to fill in, as a sentence; null when nothing is missing. */
  readonly findGap: (input: ExportInput) => string | null;
  /** It writes a learning rate, and nobody has said yet what the multiplier means. */
  readonly asks: (input: ExportInput) => boolean;
  /** Why the text would be of no use here; null when it is. */
  readonly findProblem: (input: ExportInput) => string | null;
}

/**
 * The address of the studio that answers. What a person says of the studio is kept under it. `origin`: this service's
 * own; `session` is null while nothing is known of the studio.
 */
export const toConnection = (session: SessionInfo | null, origin: string): string => session?.remote ?? origin;

export type ExportTarget = Pick<ExportInput, 'rate' | 'baseUrl' | 'isRemote' | 'takesJobs'>;

/** The part of an export's input that comes from the service, and from what a person said of it. */
export function toExportTarget(session: SessionInfo | null, origin: string, choice: RateChoice | null): ExportTarget {
  return {
    rate: toRateMeaning(session?.learning_rate_is_absolute ?? null, choice),
    baseUrl: toConnection(session, origin),
    isRemote: (session?.remote ?? null) !== null,
    takesJobs: session?.mode !== 'local',
  };
}
