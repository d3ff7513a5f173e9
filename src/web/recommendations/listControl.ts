// What the lists need to know and do beyond the record itself.
import { createContext } from 'react';
import type { Candidate } from '#shared/training/candidates.ts';

/** Which candidates are compared. */
export interface CompareControl {
  /** The candidate's series while it is compared, else null. */
  readonly seriesOf: (key: string) => number | null;
  readonly onToggle: (key: string) => void;
}

export interface ListControl extends CompareControl {
  /** Whether the plot's brush leaves a candidate out. */
  readonly isFaded: (candidate: Candidate | null) => boolean;
  /** Ids of the models that the service can run now. */
  readonly served: ReadonlySet<string>;
}

/** Whether small rates are marked as unclear: not where the service says that its rates are absolute. */
export const RateMark = createContext(true);
