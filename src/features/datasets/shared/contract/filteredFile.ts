// What a file of filtered rows holds, and what it is called.
import { toFilePart } from '#core/contract/rowsFile.ts';

/** Trainers and services whose own forms rows are written in. */
export const TRAINER_FORMS = [
  'axolotl',
  'llama-factory',
  'trl',
  'ms-swift',
  'openai',
  'together',
  'mistral',
  'gemini',
  'nova',
  'claude',
] as const;
export type TrainerForm = (typeof TRAINER_FORMS)[number];

/** `chat`: the rows as they count. `original`: the lines of the file that they came from. */
export const FILTERED_FORMS = ['chat', 'original', ...TRAINER_FORMS] as const;
export type FilteredForm = (typeof FILTERED_FORMS)[number];

interface Filter {
  readonly search?: string | null;
  readonly finding?: string | null;
  readonly tag?: string | null;
  readonly side?: string | null;
  readonly mark?: string | null;
  readonly positions?: readonly number[] | null;
}

/** Filters together: file systems allow 255 bytes for a name. */
const MAX_FILTERS = 100;

/** `tickets-snapshot-1.training.tag-odd.with-refund.jsonl`. `labels`: of the dataset, and of its snapshot. */
export function toFilteredFileName(
  id: string,
  labels: readonly string[],
  { search, finding, tag, side, mark, positions }: Filter,
  form: FilteredForm,
): string {
  const named = (prefix: string, text: string | null | undefined): string[] => {
    const part = toFilePart(text ?? '');
    return part === '' ? [] : [prefix + part];
  };
  const filters = [
    ...named('', side),
    ...named('', mark),
    ...named('tag-', tag),
    ...named('', finding),
    ...named('with-', search),
    ...(positions ? [`${positions.length}-rows`] : []),
  ];
  const owner = labels.map((label) => toFilePart(label) || toFilePart(id).slice(0, 8)).join('-') || 'rows';
  const what = filters.length === 0 ? '' : `.${filters.join('.').slice(0, MAX_FILTERS)}`;
  return `${owner}${what}${form === 'chat' ? '' : `.${form}`}.jsonl`;
}
