// Which candidates can be trained outside the studio: those whose base model can be had elsewhere. The others must not
// get a trainer's config, because their rates were found for that one model only.
import { isPortable } from '#features/experiments/shared/baseModels.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toHeadComment } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';

/** The candidates that a trainer's config is made of. */
export const toKept = (input: ExportInput): ExportInput => ({
  ...input,
  candidates: input.candidates.filter(({ base_model_id }) => isPortable(base_model_id)),
});

const findLeftOut = ({ candidates }: ExportInput): readonly Candidate[] =>
  candidates.filter(({ base_model_id }) => !isPortable(base_model_id));

const toModels = (candidates: readonly Candidate[]): readonly string[] => [
  ...new Set(candidates.map(({ base_model_id }) => base_model_id)),
];

function toWhy(candidates: readonly Candidate[], { isRemote }: ExportInput): string {
  const models = toModels(candidates);
  const [has, exists] = models.length === 1 ? ['has', 'exists'] : ['have', 'exist'];
  return isRemote
    ? `${models.join(', ')} ${has} no known name on the hub`
    : `${models.join(', ')} ${exists} only in this studio`;
}

/** Why no trainer's config can be made; null if it can, of some candidate at least. */
export function findConfigProblem(input: ExportInput): string | null {
  const leftOut = findLeftOut(input);
  if (leftOut.length < input.candidates.length || leftOut.length === 0) return null;
  const isOne = toModels(leftOut).length === 1;
  const rates = isOne ? 'the rate was found for this model' : 'the rates were found for these models';
  return `${toWhy(leftOut, input)}: no trainer can load ${isOne ? 'it' : 'them'}, and ${rates} only.`;
}

/** `2 left out: support-base exists only in this studio.`; null if none is. */
export function findLeftOutNote(input: ExportInput): string | null {
  const leftOut = findLeftOut(input);
  return leftOut.length === 0 ? null : `${leftOut.length} left out: ${toWhy(leftOut, input)}.`;
}

/** The text of a trainer's config without the candidates that are left out; a comment names those. */
export function toPortableText(input: ExportInput, toText: (input: ExportInput) => string): string {
  const note = findLeftOutNote(input);
  const text = toText(toKept(input));
  return note === null ? text : `${toHeadComment(note)}\n${text}`;
}
