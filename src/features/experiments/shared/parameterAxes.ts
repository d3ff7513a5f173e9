// Parameters as axes of a plot, in the shape of plots/axes. A row needs a candidate and may hold more. Pure.
import { toShortName } from '#core/contract/shortName.ts';
import type { Candidate } from './candidates.ts';
import type { Parameter } from './parameters.ts';
import { PACKED_BATCH } from './packedBatch.ts';
import { toTrainingWord } from './trainingWords.ts';

interface CandidateRow {
  readonly candidate: Candidate;
}

export interface ParameterAxis {
  /** The parameter's id, shortened for the address: brushes name it. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'rate' | 'count' | 'number' | 'category';
  readonly read: (row: CandidateRow) => number | string | null;
}

/** The value on an axis. Training types are shown in words. */
function toAxisValue({ id, kind, read }: Parameter, candidate: Candidate): number | string | null {
  const value = read(candidate);
  if (value === null || (typeof value === 'number' && kind !== 'text')) return value;
  return id === 'training_type' ? toTrainingWord(String(value)) : String(value);
}

/** One axis for each parameter, in order. What a packed batch is in words is no axis: the batch size has one. */
export function toParameterAxes(parameters: readonly Parameter[]): readonly ParameterAxis[] {
  return parameters
    .filter(({ name }) => name !== PACKED_BATCH)
    .map((parameter) => ({
      id: toShortName(parameter.id),
      // An axis has plain numbers.
      label: parameter.id === 'seconds' ? `${parameter.label} (s)` : parameter.label,
      kind: parameter.kind === 'text' ? 'category' : parameter.kind,
      read: ({ candidate }) => toAxisValue(parameter, candidate),
    }));
}
