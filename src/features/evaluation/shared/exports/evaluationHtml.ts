// A run of an evaluation as one HTML file that needs nothing else: no script, and nothing is loaded. Pure.
import { toScorerNames } from '#features/evaluation/shared/checkNames.ts';
import { toPText } from '#features/evaluation/shared/pairedTest.ts';
import type { EvaluationAnswer, Rate } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { toBasisText } from '#features/evaluation/shared/scoreText.ts';
import type { ExportedRow, ExportedRun } from './studioLines.ts';

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #8888;padding:.25rem .6rem;text-align:left}' +
  'td.n{text-align:right}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}summary{cursor:pointer}' +
  'details{border-top:1px solid #8888;padding:.4rem 0}.answer{margin:.4rem 0 .4rem 1rem}';

function toRate(rate: Rate): string {
  if (rate.rate === null) return 'nothing judged';
  const answers = `${rate.passed} of ${rate.total} answers${toBasisText(rate)}`;
  return `${percent(rate.rate)} (${answers}; ${percent(rate.low)} to ${percent(rate.high)})`;
}

const toGap = (
  { verdict, low, high, adjusted_p: p }: NonNullable<ExportedRun['scores']['models'][number]['difference']>,
  comparisons: number,
): string =>
  `${verdict}: ${low.toFixed(1)} to ${high.toFixed(1)} points` +
  (p === null ? '' : `; ${escape(toPText(p))}, corrected for ${comparisons} comparisons`);

type MeanScore = ExportedRun['scores']['models'][number]['by_check'][number]['score'];

function toMean(score: MeanScore): string {
  if (score === null) return '';
  const { mean, low, high } = score;
  const interval = low === null || high === null ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `; mean score ${mean.toFixed(2)}${interval}`;
}

/** What people call scorers, or models, by their ids. */
type NameOf = (id: string) => string;

const toModel = (model: string, labelOf: NameOf): string =>
  labelOf(model) === model ? escape(model) : `<span title="${escape(model)}">${escape(labelOf(model))}</span>`;

function toScoreRows({ evaluation, scores }: ExportedRun, labelOf: NameOf): string {
  const nameOf = toScorerNames(evaluation.checks);
  return scores.models
    .map(({ model, rate, difference, by_check: checks }) => {
      const gap =
        difference === null
          ? model === scores.baseline
            ? 'baseline'
            : 'no common rows'
          : toGap(difference, scores.comparisons.models);
      const parts = checks
        .map(({ scorer, rate: own, score }) => `${escape(nameOf(scorer))}: ${toRate(own)}${toMean(score)}`)
        .join('<br>');
      return `<tr><th scope="row">${toModel(model, labelOf)}</th><td>${toRate(rate)}</td><td>${gap}</td><td>${parts}</td></tr>`;
    })
    .join('');
}

/** Up to the first row. */
export function toHtmlHead(exported: ExportedRun, labelOf: NameOf): string {
  const { evaluation, run } = exported;
  const title = `${escape(evaluation.name)}, run ${run.number}`;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">' +
    `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body>` +
    `<h1>${title}</h1><p>Version ${run.version}, ${run.row_count} rows, ${run.repeats} answers of each model to each. ` +
    `Compared with ${toModel(exported.scores.baseline, labelOf)}; intervals of 95 %. Made ${escape(run.ended_at ?? run.created_at)}.</p>` +
    '<table><thead><tr><th scope="col">Model</th><th scope="col">Passed</th><th scope="col">Difference</th>' +
    `<th scope="col">By check</th></tr></thead><tbody>${toScoreRows(exported, labelOf)}</tbody></table><h2>Rows</h2>\n`
  );
}

const OUTCOMES: Readonly<Record<string, string>> = { pass: 'passed', fail: 'failed', not_checked: 'not checked' };

function toAnswer(
  { model, text, tool_calls: calls, error, outcome, verdicts }: EvaluationAnswer,
  nameOf: NameOf,
  labelOf: NameOf,
): string {
  const called = calls.map(({ name, arguments: given }) => `${name}(${given})`).join('\n');
  const state = error === null ? (OUTCOMES[outcome ?? ''] ?? 'not judged') : 'no answer';
  const reasons = verdicts.flatMap(({ scorer, reason }) => (reason === null ? [] : [`${nameOf(scorer)}: ${reason}`]));
  const body = [text, called, error ?? ''].filter((part) => part !== '').join('\n');
  const why = reasons.length === 0 ? '' : `<pre><em>${escape(reasons.join('\n'))}</em></pre>`;
  return `<div class="answer"><strong>${toModel(model, labelOf)}</strong>: ${state}<pre>${escape(body)}</pre>${why}</div>`;
}

/** `nameOf`: of scorers; `labelOf`: of models. */
export function toHtmlRow(
  { position, messages, variables, expected, tags, answers }: ExportedRow,
  nameOf: NameOf,
  labelOf: NameOf,
): string {
  const question = messages
    ? messages.map(({ role, content }) => `${role}: ${content ?? ''}`).join('\n')
    : Object.entries(variables ?? {})
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');
  const outcomes = answers.map(({ outcome, error }) =>
    error === null ? (OUTCOMES[outcome ?? ''] ?? '–') : 'no answer',
  );
  const labels = Object.entries(tags ?? {}).map(([name, value]) => `${name}: ${value}`);
  const about = [...new Set(outcomes), ...labels].map(escape).join(', ');
  const wanted = expected === null || expected === undefined ? '' : `<p>Expected:</p><pre>${escape(expected)}</pre>`;
  return (
    `<details><summary>Row ${position + 1}: ${about}</summary><pre>${escape(question)}</pre>${wanted}` +
    `${answers.map((answer) => toAnswer(answer, nameOf, labelOf)).join('')}</details>\n`
  );
}

export const HTML_END = '</body></html>\n';
