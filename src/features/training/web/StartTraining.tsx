import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findBaseProblem } from '#features/training/shared/baseProblem.ts';
import { jobQuery, projectQuery, recommendationQuery, sessionQuery } from '#ui/client/queries.ts';
import { requestRecommendation } from '#features/experiments/web/recommendationRequest.ts';
import {
  launchersQuery,
  objectivesQuery,
  trainingBasesQuery,
  trainingQueueQuery,
} from '#features/training/web/api/trainingQueries.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { toChoices } from '#features/experiments/shared/candidates.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import {
  LOADING,
  toAgain,
  toAskProblem,
  toJobView,
  toRecommendationView,
  type OfferProblem,
  type OfferView,
} from './startDialogState.ts';
import { RunTable } from './RunTable.tsx';
import { toAgainRows, toFittingRows, toOfferedRows, withFirstRun, type RunRow } from './runRows.ts';
import { findSnapshotOf, findSnapshots, findSources, type FoundSnapshot, type RunSource } from './snapshots.ts';

interface StartTrainingProps {
  /** null: the dialog asks for one. */
  snapshotId: string | null;
  /** The job whose runs are offered again; null: those of the recommendation are. */
  jobId: string | null;
  onClose: () => void;
  /** The job is there, and the tree has it. */
  onStarted: (jobId: string) => void;
}

interface OfferProps extends Omit<StartTrainingProps, 'snapshotId'> {
  snapshot: FoundSnapshot;
  sources: readonly RunSource[];
}

/** What the table begins with, and what asks for it once more. `jobId` null: the recommendation. */
function useOffer(snapshotId: string, jobId: string | null, isTrainable: (base: string) => boolean) {
  const client = useQueryClient();
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const recommendation = useQuery({ ...recommendationQuery(snapshotId), enabled: jobId === null });
  const job = useQuery(jobQuery(jobId ?? ''));
  const { data, error, refetch } = jobId === null ? recommendation : job;
  // A query without data forgets its error when it asks again, but the dialog must keep showing it.
  const [earlierError, setEarlierError] = useState<Error | null>(null);
  if (error && error !== earlierError) setEarlierError(error);
  const known = error ?? (data === undefined ? earlierError : null);
  const [askProblem, setAskProblem] = useState<OfferProblem | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    if (isAsking) return;
    setAsking(true);
    try {
      await requestRecommendation(snapshotId);
      await client.invalidateQueries({ queryKey: recommendationQuery(snapshotId).queryKey });
      setAskProblem(null);
    } catch (failure) {
      setAskProblem(toAskProblem(failure));
    }
    setAsking(false);
  };
  const toView = (): OfferView<readonly RunRow[]> => {
    if (jobId !== null) {
      const view = toJobView({ data: job.data, error: known });
      return view.kind === 'answer' ? { ...view, answer: toAgainRows(view.answer) } : view;
    }
    const { data: record, isFetching, isFetchedAfterMount } = recommendation;
    // An answer from before may be out of date: the table takes the first answer, and no later one.
    if (isFetching && !isFetchedAfterMount) return LOADING;
    const view = toRecommendationView({ data: record, error: known });
    if (view.kind === 'answer') {
      const elsewhere = view.answer.recommended_experiments.filter(({ is_elsewhere }) => is_elsewhere);
      const names = new Set(elsewhere.map(({ base_model_id }) => base_model_id));
      // Of a remote studio only its record says what it can train.
      const canTrain = (base: string) => (isLocal ? isTrainable(base) : !names.has(base));
      return { ...view, answer: toOfferedRows(toChoices(view.answer), canTrain) };
    }
    return view.kind === 'problem' ? (askProblem ?? view) : view;
  };
  return {
    view: toView(),
    again: jobId === null ? null : toAgain(job.data),
    isAsking,
    onAsk: ask,
    onLoad: () => refetch({ cancelRefetch: false }),
  };
}

/** Waits for what the table begins with. Once the table is there it stays, with what a person has changed in it. */
function Offer({ snapshot, sources, jobId, onClose, onStarted }: OfferProps) {
  // What a remote studio trains with, and how long it takes, nobody here knows.
  const enabled = useQuery(sessionQuery()).data?.mode === 'local';
  const objectives = useQuery({ ...objectivesQuery(snapshot.node.id), enabled });
  const queue = useQuery({ ...trainingQueueQuery(), enabled });
  const bases = useQuery({ ...trainingBasesQuery(), enabled });
  const launchers = useQuery({ ...launchersQuery(), enabled });
  const canTrain = (base: string) => findBaseProblem(base, queue.data, bases.data) === null;
  const { view, again, isAsking, onAsk, onLoad } = useOffer(snapshot.node.id, jobId, canTrain);
  // What the table was shown for: an answer or a problem, or before that because a person wanted it.
  const [shownFor, setShownFor] = useState<'answer' | 'person' | null>(null);
  const toOffered = (rows: readonly RunRow[]): readonly RunRow[] => {
    const found = objectives.data ?? null;
    const fitting = toFittingRows(rows, found);
    return jobId === null ? withFirstRun(fitting, sources, found) : fitting;
  };
  const isLoading = [queue, bases, objectives, launchers].some(({ isLoading }) => isLoading) || view.kind === 'loading';
  if (shownFor === null && !isLoading && view.kind !== 'computing') setShownFor('answer');
  return (
    <>
      {view.kind === 'computing' && (
        <div className="flex flex-wrap items-center gap-2">
          <output className="min-w-40 flex-1">
            The service is computing which runs it recommends for this snapshot. They are shown here as soon as they are
            known.
          </output>
          {shownFor === null && (
            <Button size="small" onClick={() => setShownFor('person')}>
              Choose runs without waiting
            </Button>
          )}
        </div>
      )}
      {view.kind === 'problem' && (
        <ErrorNotice
          title={view.title}
          detail={view.detail}
          hint={view.hint}
          retryLabel={view.retry === 'load' ? 'Try again' : isAsking ? 'Asking…' : 'Ask again'}
          onRetry={() => void (view.retry === 'ask' ? onAsk() : onLoad())}
        />
      )}
      {shownFor !== null ? (
        <RunTable
          snapshot={snapshot}
          sources={sources}
          objectives={objectives.data ?? null}
          offered={view.kind === 'answer' && !isLoading ? toOffered(view.answer) : null}
          again={again}
          launchers={launchers.data?.launchers ?? []}
          queue={queue.data}
          bases={bases.data}
          isAddFocused={shownFor === 'person'}
          onClose={onClose}
          onStarted={onStarted}
        />
      ) : (
        <Skeleton rows={6} />
      )}
    </>
  );
}

/** Asks which runs to start on a snapshot, says what they take, and starts them as one job. */
export function StartTraining({ snapshotId, jobId, onClose, onStarted }: StartTrainingProps) {
  const url = useUrlState();
  const { data: project } = useQuery({ ...projectQuery(url.project ?? ''), enabled: url.project !== null });
  const [chosen, setChosen] = useState<string | null>(null);
  const refusal = useReadOnlyReason();
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
          {snapshot && (
            <Offer
              key={`${snapshot.node.id} ${jobId}`}
              snapshot={snapshot}
              sources={project ? findSources(project) : []}
              jobId={jobId}
              onClose={onClose}
              onStarted={onStarted}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}
