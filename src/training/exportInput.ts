// What every export format is given and gives. It must not know any format.
import type { SessionInfo } from '../contract/routes';
import type { Candidate } from './candidates';

export interface ExportInput {
  /** The snapshot of all candidates; null where each has its own, or none is known. */
  readonly snapshot_id: string | null;
  /** Name for the job that the text would start. */
  readonly name: string;
  readonly candidates: readonly Candidate[];
  /** The service says that `learning_rate_multiplier` is the learning rate itself. */
  readonly isRateAbsolute: boolean;
  /** Where the studio is, such as `https://studio.example.com`. */
  readonly baseUrl: string;
  /** That is a remote studio behind this service: it takes its own key, not this service's token. */
  readonly isRemote: boolean;
  /** It starts training when it is asked to over the API. */
  readonly takesJobs: boolean;
}

export interface ExportFormat {
  readonly id: string;
  readonly label: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly toText: (input: ExportInput) => string;
  /** What the receiver still has to fill in, as a sentence; null when nothing is missing. */
  readonly findGap: (input: ExportInput) => string | null;
  /** Why the text would be of no use here; null when it is. */
  readonly findProblem?: (input: ExportInput) => string | null;
}

/** What of an export the service decides; `origin`: this service's own. null: nothing is known of it yet. */
export function toExportTarget(session: SessionInfo | null, origin: string): Pick<ExportInput, 'isRateAbsolute' | 'baseUrl' | 'isRemote' | 'takesJobs'> {
  const remote = session?.remote ?? null;
  return { isRateAbsolute: session?.learning_rate_is_absolute === true, baseUrl: remote ?? origin, isRemote: remote !== null, takesJobs: session?.mode !== 'local' };
}
