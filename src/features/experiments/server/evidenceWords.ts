// Words for runs in the sentences of a recommendation: their values, measures and comparison. Pure.
// This file only describes; it must not choose anything.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { toMeasure, type Measure } from '#features/experiments/shared/measures.ts';
import { findSaturated, type ModeChoice, type RunFact, type SnapshotFacts } from './evidence.ts';
import { formatShare } from '#core/contract/numberNotation.ts';
import { joinSentences, toCountText, toEpochsText, toLossText, toRateText } from './reasonText.ts';

export const toModeName = (isLora: boolean): string => (isLora ? 'LoRA' : 'full training');

/** `run Experiment 1`: the name in the tree, because proposals have numbers too. */
export const toRunName = ({ experiment_number }: RunFact): string => `run Experiment ${experiment_number}`;

/** `run Experiment 1, 6e-3, 3 epochs, 473 steps`. */
function toRunText(run: RunFact): string {
  const { learning_rate, n_epochs, steps } = run;
  const length = [toEpochsText(n_epochs), ...(steps === null ? [] : [`${toCountText(steps)} steps`])].join(', ');
  return `${toRunName(run)}, ${toRateText(learning_rate)}, ${length}`;
}

/** `exact match 99.5 %`, `validation loss 0.074`. */
const toMeasureText = ({ label, kind }: Measure, value: number): string =>
  `${label} ${kind === 'share' ? formatShare(value) : toLossText(value)}`;

/** The result of a run: its validation measures, otherwise its training loss, named as such. */
function toOutcomeText({ held_out, last_loss }: RunFact): string {
  const measures = Object.entries(held_out).map(([name, value]) => toMeasureText(toMeasure(name), value));
  if (measures.length > 0) return measures.join(', ');
  return last_loss === null
    ? 'nothing measured'
    : `no validation measure, training loss ${toLossText(last_loss)} (mean of the last 20 steps)`;
}

/** `On 200 validation rows: LoRA (run Experiment 1, 6e-3, 3 epochs, 473 steps) 99.5 % exactly right.` */
export function describeRuns(runs: readonly RunFact[]): string {
  if (runs.length === 0) return '';
  const counts = new Set(runs.map((run) => run.held_out_rows));
  const [count = null] = counts;
  const measured = runs.some((run) => Object.keys(run.held_out).length > 0);
  const where =
    counts.size === 1 && count !== null
      ? `${toCountText(count)} validation ${count === 1 ? 'row' : 'rows'}`
      : 'validation rows';
  const texts = runs.map((run) => `${toModeName(run.lora)} (${toRunText(run)}) ${toOutcomeText(run)}`);
  return `${measured ? `On ${where}` : 'So far'}: ${texts.join('; ')}.`;
}

/** `full training at 0.2 failed in run Experiment 3 (1 epoch; loss is not finite at step 27)`. */
export function toFailureText(run: RunFact, { snapshot_id }: SnapshotFacts): string {
  const where = `${toRunName(run)}${run.snapshot_id === snapshot_id ? '' : ' on another snapshot'}`;
  return (
    `${toModeName(run.lora)} at ${toRateText(run.learning_rate)} failed in ${where} ` +
    `(${toEpochsText(run.n_epochs)}; ${run.failure})`
  );
}

/** Our own judgements, for snapshots without measures. */
const BY_SHAPE: Readonly<Record<AnswerShape, string>> = {
  'fixed-set': 'the answers are a fixed set, which we judge to need a small change only',
  'tool-calls': 'the answers are tool calls, which we judge to need a small change only',
  json: 'the answers are JSON records, which we judge to need a small change only',
  text: 'the answers are free text, for which we judge a small adapter too weak',
};

function toBetterWords({ isLora, full, lora }: ModeChoice, measure: Measure): string {
  const [own, other] = [isLora ? lora : full, isLora ? full : lora].map((run) => run?.held_out[measure.name] ?? 0);
  const toText = (value = 0): string => (measure.kind === 'share' ? formatShare(value) : toLossText(value));
  return `on validation rows its ${measure.label} is better: ${toText(own)} against ${toText(other)}`;
}

/** `on 4 of 4 tasks like yours it was the better, or about as good and cheaper`. */
function describeNearby({ nearby, isLora }: ModeChoice): string {
  if (nearby === null) return '';
  if (nearby.tasks === 0) return 'it is the one way of training that was tried on tasks like yours';
  const tasks = `${nearby.agreeing} of ${nearby.tasks} ${nearby.tasks === 1 ? 'task' : 'tasks'} like yours`;
  return isLora
    ? `on ${tasks} its validation loss was at most a tenth above that of full training, and it is cheaper to store and serve`
    : `on ${tasks} its validation loss was clearly below that of LoRA`;
}

function toChoiceWords(choice: ModeChoice, { answer_shape }: SnapshotFacts): string {
  if (choice.basis === 'better' && choice.measure !== null) return toBetterWords(choice, choice.measure);
  if (choice.basis === 'close')
    return `its ${choice.measure?.label ?? 'score'} is close to that of full training, and it is cheaper to store and serve`;
  return choice.basis === 'only'
    ? 'it is the one way of training that has run on this snapshot'
    : choice.basis === 'measured'
      ? describeNearby(choice)
      : BY_SHAPE[answer_shape];
}

/** `The best runs answer almost all ...`; empty where more training can still be measured. */
function describeSaturation(choice: ModeChoice, facts: SnapshotFacts): string {
  const run = findSaturated(facts, choice);
  return run === null
    ? ''
    : `The best runs answer almost all of these ${toCountText(run.held_out_rows ?? 0)} validation rows right: more training ` +
        'can’t be measured here. Add harder or newer rows.';
}

/** Which way of training, and why. */
export const describeChoice = (choice: ModeChoice, facts: SnapshotFacts): string =>
  joinSentences(
    describeSaturation(choice, facts),
    `Choose ${toModeName(choice.isLora)}: ${toChoiceWords(choice, facts)}.`,
  );

/** The runs behind the choice, the chosen one first, and why they are hard to compare. */
export function describeComparison({ isLora, basis, full, lora }: ModeChoice): string {
  const runs = (isLora ? [lora, full] : [full, lora]).filter((run) => run !== null);
  const isUnequal = full !== null && lora !== null && (full.n_epochs !== lora.n_epochs || full.steps !== lora.steps);
  return joinSentences(
    runs.length === 0 ? 'Nothing has run on this snapshot yet.' : describeRuns(runs),
    isUnequal ? 'The runs differ in length, which may be part of the difference.' : '',
    (basis === 'shape' || basis === 'measured') && full && lora ? 'Training losses do not decide it.' : '',
  );
}
