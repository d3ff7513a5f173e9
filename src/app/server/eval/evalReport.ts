// What `eval` prints of a gate. Pure.
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { toBasisText } from '#features/evaluation/shared/scoreText.ts';
import type { Gate, GatedModel, GateOutcome, GateRule } from '#features/evaluation/shared/gate.ts';

/** Codes of the command; 3 is an error. */
export const EXIT_CODES: Readonly<Record<GateOutcome, number>> = { pass: 0, worse: 1, undecided: 2 };
export const ERROR_CODE = 3;

export interface EvalResult {
  readonly evaluation: Pick<Evaluation, 'id' | 'name' | 'version'>;
  readonly run: Pick<EvaluationRun, 'id' | 'number'>;
  readonly rule: GateRule;
  /** null: models are not compared. */
  readonly baseline: string | null;
  readonly gate: Gate;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const points = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`;

const WORDS: Readonly<Record<GateOutcome, string>> = {
  pass: 'good enough',
  worse: 'worse',
  undecided: 'undecided: more rows are needed',
};

function toLine({ model, rate, difference, outcome }: GatedModel, baseline: string | null): string {
  const passed = `${rate.passed} of ${rate.total} pass${toBasisText(rate)} (${percent(rate.low)} to ${percent(rate.high)})`;
  const compared =
    difference === null ? '' : `, ${points(difference.low)} to ${points(difference.high)} points to ${baseline ?? ''}`;
  const unchecked = rate.not_checked > 0 ? `, ${rate.not_checked} not checked` : '';
  return `${model}: ${passed}${compared}${unchecked}: ${WORDS[outcome]}`;
}

export function toText({ evaluation, run, baseline, gate }: EvalResult): string {
  const lines = gate.models.map((model) => toLine(model, baseline));
  return `${[`${evaluation.name}, version ${evaluation.version}, run ${run.number}`, ...lines].join('\n')}\n`;
}

export function toJson({ evaluation, run, rule, baseline, gate }: EvalResult): string {
  const { id, name, version } = evaluation;
  const value = {
    outcome: gate.outcome,
    evaluation: { id, name, version },
    run: { id: run.id, number: run.number },
    min_pass: rule.minPass,
    margin: rule.margin,
    baseline,
    models: gate.models,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
