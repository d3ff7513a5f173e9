// What is said of the rows that the best run answers wrong, where they are alike. Pure.
import type { RowErrors } from '#core/contract/rowErrors.ts';
import type { Frozen } from '#core/contract/endpoint.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

/** Whose errors. */
export interface ErrorsOf {
  readonly snapshotId: string;
  readonly experimentId: string;
}

interface RowLink {
  readonly label: string;
  /** Places of rows of the dataset. */
  readonly rows: readonly number[];
}

export interface RowAdvice {
  readonly text: string;
  readonly links: readonly RowLink[];
}

type Labels = NonNullable<Frozen<RowErrors>['labels']>;

/** Half of what a label would have if all had the same. */
const FEW = 0.5;

/** A few among thousands explain no errors. */
const MATTERS = 0.01;

const countTraining = (values: Labels['values']): number =>
  values.reduce((sum, { training_rows }) => sum + (training_rows ?? 0), 0);

/** "All 9 errors", "9 of the 12 errors". */
const toShare = (part: number, wrong: number): string =>
  part === wrong
    ? `All ${formatCounted(wrong, 'error')}`
    : `${formatCount(part)} of the ${formatCounted(wrong, 'error')}`;

const toList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** "Look at these 12 rows"; where a link takes fewer than there are: "Look at the first 200 of these rows". */
const toLook = (count: number, named: number, what: string): string =>
  named < count ? `Look at the first ${named} of ${what}` : `Look at ${what}`;

/** Training rows that contradict others, if they are enough to matter; null: they are not, or not known. */
function toContradicting({ values, contradicting }: Labels): Labels['contradicting'] {
  return contradicting !== null && contradicting.count > 0 && contradicting.count >= countTraining(values) * MATTERS
    ? contradicting
    : null;
}

/** "only 9 of 1,800 training rows are like that, and 3 of them contradict others"; null: nothing is the matter with them. */
function toTrainingText(labels: Labels): string | null {
  const { values, kinds, training_rows } = labels;
  if (training_rows === null || training_rows === 0) return null;
  const own = countTraining(values);
  const count = toContradicting(labels)?.count ?? 0;
  const contradict = count === 1 ? 'contradicts others' : 'contradict others';
  if (own < (training_rows * values.length * FEW) / kinds) {
    const rows = `only ${formatCount(own)} of ${formatCounted(training_rows, 'training row')}`;
    const disagree = count === 0 ? '' : `, and ${formatCount(count)} of them ${contradict}`;
    return `${rows} ${own === 1 ? 'is' : 'are'} like that${disagree}`;
  }
  return count === 0
    ? null
    : `${formatCount(count)} of the ${formatCounted(own, 'training row')} like that ${contradict}`;
}

function toLabelAdvice(labels: Labels, wrong: number): RowAdvice {
  const { field, values, positions } = labels;
  const contradicting = toContradicting(labels);
  const held = values.reduce((sum, value) => sum + value.wrong, 0);
  const size = values.reduce((sum, value) => sum + value.rows, 0);
  const names = toList(values.map(({ value }) => `“${value}”`));
  const where = field === null ? `whose answer is ${names}` : `with ${field} ${names}`;
  const training = toTrainingText(labels);
  return {
    text:
      `${toShare(held, wrong)} are in the ${formatCounted(size, 'validation row')} ${where}` +
      `${training === null ? '' : `; ${training}`}.`,
    links: [
      { label: toLook(held, positions.length, 'these rows'), rows: positions },
      ...(contradicting
        ? [
            {
              label: toLook(contradicting.count, contradicting.positions.length, 'the contradictions'),
              rows: contradicting.positions,
            },
          ]
        : []),
    ],
  };
}

/** null: the errors are spread, too few to say, or not known. */
export function toRowAdvice({ wrong, labels, shared }: Frozen<RowErrors>): RowAdvice | null {
  if (labels !== null) return toLabelAdvice(labels, wrong);
  if (shared === null) return null;
  const { runs, least, count, positions } = shared;
  const where = least === runs ? `all ${runs} runs` : `at least ${least} of ${runs} runs`;
  return {
    text: `${toShare(count, wrong)} are made by ${where}.`,
    links: [{ label: toLook(count, positions.length, 'these rows'), rows: positions }],
  };
}
