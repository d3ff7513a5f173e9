import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findBaseProblem } from '#shared/contract/training/baseProblem.ts';
import { jobQuery, projectQuery, recommendationQuery, sessionQuery } from '#web/api/queries.ts';
import { toDataRefusal } from '#web/api/data/dataRefusal.ts';
import { trainingBasesQuery, trainingQueueQuery } from '#web/api/training/trainingQueries.ts';
import { toChoices } from '#shared/training/candidates.ts';
import { useTrainingRequest } from '#web/session/trainingRequest.ts';
import { useUrlState } from '#web/session/urlState.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/fields/Select.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { RunTable } from './RunTable.tsx';
import { toAgainRows, toOfferedRows } from './runRows.ts';
import { findSnapshotOf, findSnapshots, type FoundSnapshot } from './snapshots.ts';

interface StartTrainingProps {
  onClose: () => void;
  /** The job is there, and the tree has it. */
  onStarted: (jobId: string) => void;
}

interface OfferProps extends StartTrainingProps {
  snapshot: FoundSnapshot;
  jobId: string | null;
}

/** Waits for what the table begins with. */
function Offer({ snapshot, jobId, onClose, onStarted }: OfferProps) {
  const { id } = snapshot.node;
  const queue = useQuery(trainingQueueQuery());
  const bases = useQuery(trainingBasesQuery());
  const recommendation = useQuery({ ...recommendationQuery(id), enabled: jobId === null });
  const job = useQuery(jobQuery(jobId ?? ''));
  const isWaiting = queue.isPending || bases.isPending || (jobId === null ? recommendation.isPending : job.isPending);
  if (isWaiting) return <Skeleton rows={6} />;
  const canTrain = (base: string) => findBaseProblem(base, queue.data, bases.data) === null;
  const offered =
    jobId !== null
      ? job.data
        ? toAgainRows(job.data)
        : []
      : recommendation.data
        ? toOfferedRows(toChoices(recommendation.data), canTrain)
        : [];
  return (
    <RunTable
      key={`${id} ${jobId}`}
      snapshot={snapshot}
      offered={offered}
      again={jobId === null ? null : (job.data?.name ?? 'a job')}
      queue={queue.data}
      bases={bases.data}
      onClose={onClose}
      onStarted={onStarted}
    />
  );
}

/** Asks which runs to start on a snapshot, says what they take, and starts them as one job. */
export function StartTraining({ onClose, onStarted }: StartTrainingProps) {
  const { snapshotId, jobId } = useTrainingRequest();
  const url = useUrlState();
  const { data: session } = useQuery(sessionQuery());
  const { data: project } = useQuery({ ...projectQuery(url.project ?? ''), enabled: url.project !== null });
  const [chosen, setChosen] = useState<string | null>(null);
  const refusal = toDataRefusal(session, 'Start training');
  const all = project ? findSnapshots(project) : [];
  const wanted = chosen ?? snapshotId;
  const snapshot = all.find(({ node }) => node.id === wanted) ?? (project ? findSnapshotOf(project, url.node) : null);
  return (
    <Dialog title="Start training" isOpen onClose={onClose}>
      {refusal !== null ? (
        <p className="text-soft">{refusal}</p>
      ) : project === undefined ? (
        <p className="text-soft">Open a project first: its snapshots are what models are trained on.</p>
      ) : all.length === 0 ? (
        <p className="text-soft">
          This project has no snapshot yet. Add a dataset, look at its rows, and freeze them in a snapshot: runs are
          trained on one.
        </p>
      ) : (
        <div className="flex min-w-0 flex-col gap-3">
          <Select
            label="Rows of"
            value={snapshot?.node.id ?? ''}
            options={[
              ...(snapshot ? [] : [{ value: '', label: 'Choose a snapshot' }]),
              ...all.map(({ node, label }) => ({ value: node.id, label })),
            ]}
            onChange={(id) => setChosen(id)}
          />
          {snapshot && <Offer snapshot={snapshot} jobId={jobId} onClose={onClose} onStarted={onStarted} />}
        </div>
      )}
    </Dialog>
  );
}
