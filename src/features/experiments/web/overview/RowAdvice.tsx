import { useQuery } from '@tanstack/react-query';
import { linkTo, updateUrl, type UrlState } from '#ui/address/urlState.ts';
import { ask } from '#ui/client/call.ts';
import { BASE } from '#ui/client/queryRules.ts';
import { toRowAdvice, type ErrorsOf } from './rowErrorWords.ts';

const toRowsPatch = (snapshotId: string, rows: readonly number[]): Partial<UrlState> => ({
  node: snapshotId,
  tab: 'data',
  rows: rows.map(String),
});

/** Where the errors of a run come from few labels or rows: says so, with links to these rows. */
export function RowAdvice({ snapshotId, experimentId }: ErrorsOf) {
  // Rows and results of a run that has ended don't change; whether other runs make the same errors does.
  const { data } = useQuery({
    ...BASE,
    queryKey: ['row-errors', snapshotId, experimentId],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/snapshots/{snapshotId}/row-errors', [snapshotId], 'wrong', {
        query: { experiment: experimentId },
        signal,
      }),
    staleTime: 600_000,
  });
  const advice = data ? toRowAdvice(data) : null;
  if (advice === null) return null;
  return (
    <p className="pb-2 tabular-nums">
      {advice.text}
      {advice.links.map(({ label, rows }) => {
        const patch = toRowsPatch(snapshotId, rows);
        return (
          <span key={label}>
            {' '}
            <a
              href={linkTo(patch)}
              className="mr-3 inline-block rounded py-0.5 text-accent hover:underline"
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                updateUrl(patch);
              }}
            >
              {label}
            </a>
          </span>
        );
      })}
    </p>
  );
}
