import { useMemo, useState, type ReactNode } from 'react';
import { Columns2, Table2 } from 'lucide-react';
import { isSucceeded } from '#core/contract/statuses.ts';
import { isShare, toMeasureDoubt, toMeasureValue } from '#features/experiments/shared/measures.ts';
import type { DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import { toSeedsText } from '#features/experiments/web/rows/seedGroups.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { MeasureBar } from './MeasureBar.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { toLeadText, toRowsNote } from './measureWords.ts';
import type { ErrorsOf } from './rowErrorWords.ts';
import { toTaskMeasures, type TaskMeasure } from './taskMeasures.ts';

// Of rows whose answers are known.
const RowAdvice = toLazyPart('Where the errors are', async () => (await import('./RowAdvice.tsx')).RowAdvice);

/** Of which run it is known which rows are wrong; null: of none, or exact match says nothing about these answers. */
const toKnownErrors = ({ best, main }: DatasetResult): ErrorsOf | null =>
  main?.name === 'exact_match' && best?.snapshot_id != null && best.right_rows?.includes('0') === true
    ? { snapshotId: best.snapshot_id, experimentId: best.id }
    : null;

interface BestRunsProps {
  results: readonly DatasetResult[];
  onTry: (models: readonly string[]) => void;
  /** null: the service doesn't give the validation rows. */
  onCheck: ((models: readonly string[], snapshotId: string) => void) | null;
  /** Whether it gives them is not known yet: the room is kept, so that nothing below moves under a press. */
  isCheckPending: boolean;
  /** By which measure runs are compared; null: it can't be chosen here. */
  choice: ReactNode;
}

/** More are a press away: what to train next must stay near. */
const FIRST = 12;
const HEAD = 'px-2 py-1.5 @xl:px-3 text-left text-sm font-normal text-soft';
/** In a narrow panel the run stands below its dataset, and the base below the value. */
const WIDE = 'hidden @xl:table-cell';
const HEADS = [
  { title: 'Dataset', isWide: false },
  { title: 'Best run', isWide: true },
  { title: 'On validation rows', isWide: false },
  { title: 'Base', isWide: true },
] as const;
const CELL = 'px-2 py-2 @xl:px-3 align-top';
/** Three lines, so that a long name neither covers its neighbours nor pushes what to train next out of view. */
const NAME = 'line-clamp-3 max-w-24 @2xl:max-w-40 @2xl:min-w-32 @4xl:max-w-56';

/** Why a dataset has no best run. */
function toNoBestText({ runs, main, measures, answer_shape }: DatasetResult): string {
  if (runs.some(({ isPending }) => isPending)) return 'Results are loading.';
  if (runs.some(({ isUnread }) => isUnread)) return 'The results are not loaded. Below the table you can load them.';
  if (!runs.some(({ status }) => isSucceeded(status))) return 'No run is done yet.';
  if (measures.length === 0) return 'No run was measured on validation rows.';
  if (main === null && answer_shape === 'text' && measures.includes('exact_match'))
    return 'Exact match can’t judge free text, and nothing else was measured.';
  return `The studio can’t judge runs by ${measures.join(', ')}.`;
}

/** `ids copied 99.3 % (base 0 %; Experiment 2: 100 %)`. */
function TaskText({ measure, value, base, better }: TaskMeasure) {
  const beside = [
    ...(base === null ? [] : [`base ${toMeasureValue(measure, base)}`]),
    ...(better === null ? [] : [`${better.label}: ${toMeasureValue(measure, better.value)}`]),
  ];
  return (
    <li title={measure.counts} className="tabular-nums">
      {measure.label} <span className="text-ink">{toMeasureValue(measure, value)}</span>
      {beside.length > 0 && ` (${beside.join('; ')})`}
    </li>
  );
}

type ResultRowProps = Omit<BestRunsProps, 'results' | 'choice'> & { result: DatasetResult; saidRows: number | null };

/** Tries the best run beside its base, or evaluates both on the validation rows. `name`: what it is the best of. */
function BestActions({
  result: { best },
  name,
  onTry,
  onCheck,
  isCheckPending,
}: Omit<ResultRowProps, 'saidRows'> & { name: string }) {
  const model = best?.model_id ?? null;
  const baseModel = best?.base_model_id ?? null;
  const snapshot = best?.snapshot_id ?? null;
  const models = model === null || baseModel === null ? null : [model, baseModel];
  const obstacle = models === null ? (best?.problem ?? 'The service gives no model id for this run.') : null;
  const spoken = <span className="sr-only">: {`${best?.label} of ${name}`}</span>;
  return (
    <span className="flex flex-col items-end gap-1">
      <Button size="small" disabledReason={obstacle} onClick={() => models && onTry(models)}>
        <Columns2 aria-hidden size={12} className="hidden @[22rem]:inline" />
        <span>
          Try<span className="hidden @[44rem]:inline"> beside base</span>
          {spoken}
        </span>
      </Button>
      {snapshot !== null && (onCheck || isCheckPending) && (
        <Button
          size="small"
          className={onCheck ? '' : 'invisible'}
          disabledReason={obstacle}
          onClick={() => models && onCheck?.(models, snapshot)}
          data-tip="Opens both models in a prompt grid, with the validation rows of the snapshot"
        >
          <Table2 aria-hidden size={12} className="hidden @[22rem]:inline" />
          <span>
            {' '}
            Evaluate
            <span className="sr-only @[52rem]:not-sr-only @[52rem]:whitespace-nowrap"> on validation rows</span>
            {spoken}
          </span>
        </Button>
      )}
    </span>
  );
}

function ResultRow({ result, saidRows, onTry, onCheck, isCheckPending }: ResultRowProps) {
  const { dataset, dataset_id, job, main, best, value, base } = result;
  const name = job?.label ?? dataset ?? 'No dataset';
  const place = job
    ? { id: job.id, type: 'finetuning-job' }
    : dataset_id === null
      ? null
      : { id: dataset_id, type: 'dataset' };
  const doubt = main && toMeasureDoubt(main, result.answer_shape);
  const task = toTaskMeasures(result);
  const errorsOf = onCheck ? toKnownErrors(result) : null;
  const hasBelow = task.length > 0 || errorsOf !== null;
  const lead = toLeadText(result);
  const rowsNote = toRowsNote(result, saidRows);
  const seeds = useMemo(() => best && toSeedsText(best, result.runs), [best, result.runs]);
  const run = best && (
    <button
      type="button"
      title={best.label}
      className={`min-h-6 rounded text-left font-normal text-accent hover:underline ${NAME}`}
      onClick={() => selectNode({ id: best.id, type: 'experiment' })}
    >
      {best.label}
    </button>
  );
  const row = (
    <tr className="border-t border-line">
      <th scope="row" rowSpan={hasBelow ? 2 : 1} className={`${CELL} text-left font-semibold`}>
        {place === null ? (
          <span className={NAME}>{name}</span>
        ) : (
          <button
            type="button"
            title={name}
            className={`min-h-6 rounded text-left hover:underline ${NAME}`}
            onClick={() => selectNode(place)}
          >
            {name}
          </button>
        )}
        {job && <span className={`text-sm font-normal text-soft ${NAME}`}>{dataset}</span>}
        <span className="@xl:hidden">{run}</span>
      </th>
      {best && main && value !== null ? (
        <>
          <td className={`${CELL} ${WIDE}`}>{run}</td>
          <td className={CELL}>
            <MeasureBar measure={main} value={value} base={base} rows={best.held_out_rows} />
            {base !== null && (
              <span className="text-sm text-soft tabular-nums @xl:hidden">base {toMeasureValue(main, base)}</span>
            )}
            {rowsNote !== null && <span className="block text-sm text-soft tabular-nums">{rowsNote}</span>}
            {lead !== null && <span className="block text-sm text-soft tabular-nums">{lead}</span>}
            {seeds !== null && <span className="block text-sm text-soft tabular-nums">{seeds}</span>}
            {doubt !== null && <span className="block text-sm text-soft">{doubt}</span>}
          </td>
          <td className={`${CELL} ${WIDE} whitespace-nowrap tabular-nums`}>
            {base === null ? '—' : toMeasureValue(main, base)}
          </td>
          <td className={`${CELL} sticky right-0 bg-surface`}>
            <BestActions {...{ result, name, onTry, onCheck, isCheckPending }} />
          </td>
        </>
      ) : (
        <td colSpan={4} className={`${CELL} text-soft`}>
          {toNoBestText(result)}
        </td>
      )}
    </tr>
  );
  if (!hasBelow) return row;
  return (
    <>
      {row}
      <tr>
        <td colSpan={4} className="px-2 text-sm text-soft @xl:px-3">
          {errorsOf !== null && (
            <FeatureBoundary name="Where the errors are" fallback={null}>
              <RowAdvice {...errorsOf} />
            </FeatureBoundary>
          )}
          {task.length > 0 && (
            <div className="flex flex-wrap gap-x-1.5 pb-2">
              Other measures:
              <ul className="flex flex-wrap gap-x-3">
                {task.map((each) => (
                  <TaskText key={each.measure.name} {...each} />
                ))}
              </ul>
            </div>
          )}
        </td>
      </tr>
    </>
  );
}

/** The number of rows that all best runs were measured on; null: they differ, or it is not given. */
function toSaidRows(results: readonly DatasetResult[]): number | null {
  const [count = null, ...others] = new Set(results.flatMap(({ best }) => (best ? [best.held_out_rows] : [])));
  return others.length === 0 ? count : null;
}

/** `on 200 validation rows · greedy · 95 % interval · vertical line: base model`: only what holds for all, and is there. */
function toNote(results: readonly DatasetResult[]): string {
  const best = results.flatMap((result) => (result.best ? [result.best] : []));
  const decodings = new Set(best.map(({ decoding }) => decoding));
  const [decoding] = decodings.size === 1 ? [...decodings] : [null];
  const count = toSaidRows(results);
  const where = count ? `on ${formatCounted(count, 'validation row')}` : 'on validation rows';
  const bars = results.filter(({ main, value }) => main !== null && value !== null && isShare(main, value));
  return [
    where,
    ...(decoding ? [decoding] : []),
    ...(bars.some((bar) => bar.best?.held_out_rows != null && bar.main?.isOfSome !== true) ? ['95 % interval'] : []),
    ...(bars.some(({ base }) => base !== null) ? ['vertical line: base model'] : []),
  ].join(' · ');
}

/** A dataset without a best run says why. A folder may have many jobs without one, whose data is not recorded. */
function toShownResults(results: readonly DatasetResult[]): readonly DatasetResult[] {
  const shown = results.filter(
    ({ job, best, runs }) => job === null || best !== null || runs.some((run) => run.isPending),
  );
  return shown.length === 0 ? results.slice(0, 1) : shown;
}

function toTitle(results: readonly DatasetResult[]): string {
  if (results.length === 1) return 'Best run';
  return results.some(({ job }) => job !== null) ? 'Best runs' : 'Best of each dataset';
}

/**
 * The best run of each dataset, or of each job whose data is not recorded, by its main measure, beside its base model.
 */
export function BestRuns({ results: all, onTry, onCheck, isCheckPending, choice }: BestRunsProps) {
  const [shown, setShown] = useState(FIRST);
  const results = toShownResults(all);
  return (
    <Card title={toTitle(results)} note={toNote(results)}>
      <div className="relative overflow-x-auto">
        <table className="w-full border-collapse">
          <thead>
            <tr>
              {HEADS.map(({ title, isWide }) => (
                <th key={title} scope="col" className={isWide ? `${HEAD} ${WIDE}` : HEAD}>
                  {title}
                </th>
              ))}
              <th scope="col" className={HEAD}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {results.slice(0, shown).map((result) => (
              <ResultRow
                key={result.job?.id ?? result.dataset_id ?? ''}
                result={result}
                saidRows={toSaidRows(results)}
                onTry={onTry}
                onCheck={onCheck}
                isCheckPending={isCheckPending}
              />
            ))}
          </tbody>
        </table>
      </div>
      {results.length > shown && (
        <p className="border-t border-line px-3 py-1.5">
          <Button size="small" variant="quiet" onClick={() => setShown(Number.POSITIVE_INFINITY)}>
            Show {formatCount(results.length - shown)} more
          </Button>
        </p>
      )}
      {choice}
    </Card>
  );
}
