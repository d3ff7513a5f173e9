// What the lists need beside the record: compared set, brush, served models, the mark of small rates.
import { createContext } from 'react';
import type { Candidate } from '#features/experiments/shared/candidates.ts';

/** Which candidates are compared. */
export interface CompareControl {
  /** The candidate's series if it is compared, else null. */
  readonly seriesOf: (key: string) => number | null;
  readonly onToggle: (key: string) => void;
}

export interface ListControl extends CompareControl {
  /** Whether a candidate is outside the plot's brush. */
  readonly isFaded: (candidate: Candidate | null) => boolean;
  /** Ids of the models that the service can run now. */
  readonly served: ReadonlySet<string>;
}

/** Whether recommendations say where to train: a local studio has models of its own, and recommends others too. */
export const PlaceMark = createContext(false);

/** Whether small rates get a mark; they don't if the service says that its rates are absolute. */
export const RateMark = createContext(true);

/** Below 520 px names stand above their values: beside them the table would scroll sideways. */
export type TableRoom = 'wide' | 'narrow' | 'stacked';
