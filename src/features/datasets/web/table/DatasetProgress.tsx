import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { cancelImport, datasetQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { toRowsText } from '#features/datasets/web/importing/progress.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';

interface DatasetProgressProps {
  datasetId: string;
}

/** A dataset that is imported or written now, with the button that ends it; or why it has failed. */
export function DatasetProgress({ datasetId }: DatasetProgressProps) {
  const client = useQueryClient();
  const { data: dataset } = useQuery(datasetQuery(datasetId));
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const [isEnding, setEnding] = useState(false);
  const end = async () => {
    setEnding(true);
    try {
      await cancelImport(datasetId);
      showToast('Cancelled. Nothing of the dataset is kept.');
    } catch (error) {
      const { detail, hint } = toErrorWords(error);
      showToast(`It was not cancelled. ${detail} ${hint}`, { tone: 'error' });
      setEnding(false);
    }
    await refreshTrees(client);
  };
  if (dataset?.status === 'failed')
    return (
      <ErrorNotice
        title="The dataset has no rows"
        detail={dataset.error ?? 'It failed, and the studio did not say why.'}
        hint="Delete it, and make it again once the reason is gone."
      />
    );
  return (
    <section
      aria-label="Progress of the dataset"
      className="flex flex-col gap-2 rounded-[10px] border border-line bg-surface p-3"
    >
      <p className="font-semibold">The rows of this dataset are being made</p>
      <ProgressLine label="Rows" share={null} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <output className="text-soft tabular-nums">
          {dataset?.progress ? toRowsText(dataset.progress) : 'They are shown here once all are there.'}
        </output>
        {isLocal && (
          <ChangeButton
            size="small"
            variant="danger"
            disabledReason={isEnding ? 'It is being cancelled.' : null}
            onClick={() => void end()}
          >
            Cancel
          </ChangeButton>
        )}
      </div>
    </section>
  );
}
