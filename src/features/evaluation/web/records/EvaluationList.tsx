import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { toCheckNames } from '#features/evaluation/shared/checkNames.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { formatAge } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { toWhoWords } from '#ui/client/rights.ts';
import { RateBar } from '#features/evaluation/web/RateBar.tsx';
import { isGoingOn } from './recordQueries.ts';
import { toProgressText, toRateText, toSourceText } from './recordWords.ts';
import { ModelName } from './ModelName.tsx';

interface EvaluationListProps {
  evaluations: readonly Evaluation[];
}

function LatestRun({ run }: { run: Evaluation['latest_run'] }) {
  if (run === null) return <span className="text-faint">not run yet</span>;
  const state = { ...run, reason: null, next_try_at: null, answers_per_second: null, seconds_left: null };
  const isSettled = run.status === 'completed' && run.failed === 0;
  return (
    <span className="flex flex-col gap-1">
      {run.rates.map(({ model, rate }) => (
        <span key={model} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3">
          <ModelName model={model} />
          <span className="tabular-nums">{toRateText(rate) ?? 'not judged'}</span>
          <span className="col-span-2">
            <RateBar rate={rate} />
          </span>
        </span>
      ))}
      {!isSettled && (
        <span className={`text-sm ${isGoingOn(run.status) ? 'text-running' : 'text-warning'}`}>
          {toProgressText(state)}
        </span>
      )}
    </span>
  );
}

/** What a project is measured by, with what its models reach. */
export function EvaluationList({ evaluations }: EvaluationListProps) {
  const now = useNow(30_000);
  return (
    <SimpleTable
      caption="Evaluations"
      className="px-3 pb-2"
      heads={['Name', 'Rows', 'Checks', 'Latest run', 'Changed']}
    >
      {evaluations.map((evaluation) => (
        <tr key={evaluation.id} className="align-top">
          <th scope="row" className="max-w-72 py-2 pr-4 font-normal">
            <button
              type="button"
              className="min-h-6 max-w-full truncate rounded text-left font-semibold underline decoration-line-strong underline-offset-2"
              onClick={() => updateUrl({ evaluation: evaluation.id, run: null, answers: null })}
            >
              {evaluation.name}
            </button>
            {evaluation.is_default && (
              <span className="block text-xs text-soft">measures each new run of its dataset</span>
            )}
          </th>
          <td className="py-2 pr-4">{toSourceText(evaluation)}</td>
          <td className="py-2 pr-4">{toCheckNames(evaluation.checks).join(', ') || 'none'}</td>
          <td className="min-w-56 py-2 pr-4">
            <LatestRun run={evaluation.latest_run} />
          </td>
          <td className="py-2 whitespace-nowrap text-soft">
            {formatAge(now - Date.parse(evaluation.updated_at))}
            <span className="block text-sm">
              {evaluation.updated_by !== undefined && toWhoWords(evaluation.updated_by)}
            </span>
          </td>
        </tr>
      ))}
    </SimpleTable>
  );
}
