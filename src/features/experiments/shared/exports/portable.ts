// Which candidates can be trained outside the studio: those whose base model can be had elsewhere. The others must not
// get a trainer's config, because their rates were found for that one model only.
import { isPortable } from '#features/experiments/shared/baseModels.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toHeadComment } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';

interface Portable {
  /** The input without the candidates that are left out. */
  readonly input: ExportInput;
  readonly leftOut: readonly Candidate[];
}

function toPortable(input: ExportInput): Portable {
  const isKept = ({ base_model_id }: Candidate): boolean => isPortable(base_model_id);
  return {
    input: { ...input, candidates: input.candidates.filter(isKept) },
    leftOut: input.candidates.filter((candidate) => !isKept(candidate)),
  };
}

const toModels = (candidates: readonly Candidate[]): string =>
  [...new Set(candidates.map(({ base_model_id }) => base_model_id))].join(', ');

const isOneModel = (candidates: readonly Candidate[]): boolean =>
  new Set(candidates.map(({ base_model_id }) => base_model_id)).size === 1;

function toWhy(candidates: readonly Candidate[], { isRemote }: ExportInput): string {
  const models = toModels(candidates);
  const isOne = isOneModel(candidates);
  return isRemote
    ? `${models} ${isOne ? 'has' : 'have'} no known name on the hub`
    : `${models} ${isOne ? 'exists' : 'exist'} only in this studio`;
}

/** Why no trainer's config can be made; null if it can, of some candidate at least. */
export function findConfigProblem(input: ExportInput): string | null {
  const { input: kept, leftOut } = toPortable(input);
  if (kept.candidates.length > 0 || leftOut.length === 0) return null;
  const isOne = isOneModel(leftOut);
  const rates = isOne ? 'the rate was found for this model' : 'the rates were found for these models';
  return `${toWhy(leftOut, input)}: no trainer can load ${isOne ? 'it' : 'them'}, and ${rates} only.`;
}

/** `2 left out: support-base exists only in this studio.`; null if none is. */
export function findLeftOutNote(input: ExportInput): string | null {
  const { leftOut } = toPortable(input);
  return leftOut.length === 0 ? null : `${leftOut.length} left out: ${toWhy(leftOut, input)}.`;
}

/** The text of a trainer's config without the candidates that are left out; a comment names those. */
export function toPortableText(input: ExportInput, toText: (input: ExportInput) => string): string {
  const { input: kept } = toPortable(input);
  const note = findLeftOutNote(input);
  const text = toText(kept);
  return note === null ? text : `${toHeadComment(note)}\n${text}`;
}

/** The candidates that a trainer's config is made of. */
export const toKept = (input: ExportInput): ExportInput => toPortable(input).input;
