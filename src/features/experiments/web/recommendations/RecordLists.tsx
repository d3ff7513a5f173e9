import { Suspense, useMemo, useState, type ReactNode, type RefCallback } from 'react';
import { ListX } from 'lucide-react';
import { toStateWord } from '#core/contract/statuses.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { keepPlot, readKeptPlot } from '#features/experiments/web/compareState/keptPlot.ts';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toChoices, type Candidate, type Choices } from '#features/experiments/shared/candidates.ts';
import { isLikelyAbsoluteRate, RATE_HINT } from '#features/experiments/shared/rates.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { useIdle } from '#ui/lazy/useIdle.ts';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { toTextLead } from '#ui/kit/textParts.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { CandidateExport } from '#features/experiments/web/CandidateExport.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { CompareBar } from './CompareBar.tsx';
import { ExperimentTable } from './ExperimentTable.tsx';
import { PlaceMark, RateMark, type CompareControl, type ListControl, type TableRoom } from './listControl.ts';
import { ModelTable } from './ModelTable.tsx';
import { findStarred } from './starred.ts';
import { StartButton } from './StartButton.tsx';
import { StarredCard } from './StarredCard.tsx';
import { useBrushed } from './useBrushed.ts';
import { useCompare } from './useCompare.ts';
import { KnownRuns, useKnownRuns } from './useKnownRuns.ts';
import { usePacking } from './usePacking.ts';
import { useSnapshotJobs } from './useSnapshotJobs.ts';

/** The footnote that every † refers to: nobody says what the rates mean. */
function RateNote() {
  return (
    <p className="px-1 text-sm text-soft">
      <span aria-hidden className="mr-1 text-warning">
        †
      </span>
      Learning rate multiplier: {RATE_HINT}
    </p>
  );
}

interface ShownNoteProps {
  shown: number;
  of: number;
}

/** How many entries are inside the plot's selection, and a button that shows all. */
function ShownNote({ shown, of }: ShownNoteProps) {
  if (shown === of) return 'recommended first';
  return (
    <>
      {shown} shown, {of - shown} outside the plot’s selection
      <button
        type="button"
        onClick={() => updateUrl({ brush: [] }, { replace: true })}
        className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
      >
        show all
      </button>
    </>
  );
}

interface EmptyRecordProps {
  status: string;
}

/** Both lists are empty. ProcessingNotice and FailedNotice cover the other two statuses. */
function EmptyRecord({ status }: EmptyRecordProps) {
  if (status === 'processing' || status === 'failed') return null;
  return (
    <EmptyState icon={<ListX aria-hidden size={20} />} title="The service recommends nothing for this snapshot">
      It answered “{toStateWord(status)}” with no base model and no run. Most often the snapshot has too few rows: add
      some to its dataset, make a new snapshot, and look there.
    </EmptyState>
  );
}

const RecordPlot = toLazyPart('The plot', async () => (await import('./RecordPlot.tsx')).RecordPlot);

interface NextCardProps {
  snapshot: TreeNode;
  choices: Choices;
}

/** The answer: what to train next, or why nothing. */
function NextCard({ snapshot, choices }: NextCardProps) {
  const starred = findStarred(choices);
  if (starred.length > 0)
    return (
      <StarredCard
        starred={starred}
        actions={<StartButton snapshot={snapshot} />}
        renderExport={(candidate) => (
          <CandidateExport root={snapshot} candidates={[candidate]} what="config" isFormatKept />
        )}
      />
    );
  if (choices.experiments.length === 0) return null;
  return (
    <Card
      title="Nothing to train next"
      note={toTextLead(choices.models[0]?.reason_for_recommendation ?? '').lead || 'No run is recommended.'}
      actions={<StartButton snapshot={snapshot} isQuiet />}
    />
  );
}

/** The plot is not part of the first view: the lists load first. */
const PLOT_ROOM = <Skeleton rows={6} className="h-74 p-3" />;

interface PlotCardProps {
  candidates: readonly Candidate[];
  compare: CompareControl;
  /** A link with a selection shows where it was made. */
  hasSelection: boolean;
}

/** A plot of all candidates, open if a person wants it. */
function PlotCard({ candidates, compare, hasSelection }: PlotCardProps) {
  const isIdle = useIdle();
  const [choice, setChoice] = useState<boolean | null>(null);
  const isOpen = choice ?? (readKeptPlot() === 'parallel' || hasSelection);
  const toggle = () => {
    setChoice(!isOpen);
    keepPlot(isOpen ? 'loss' : 'parallel');
  };
  return (
    <Card
      title={`Candidates ${candidates.length}`}
      actions={
        <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={toggle}>
          Parallel plot
        </Button>
      }
    >
      {isOpen ? (
        <Suspense fallback={PLOT_ROOM}>
          {isIdle ? <RecordPlot candidates={candidates} compare={compare} /> : PLOT_ROOM}
        </Suspense>
      ) : undefined}
    </Card>
  );
}

interface ListCardProps {
  title: string;
  /** Inside the plot's selection, and all. */
  shown: number;
  of: number;
  /** In place of the list where nothing is inside the selection, and where there is nothing at all. */
  noneInside: string;
  none: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A list of the record, with what of it is shown. */
function ListCard({ title, shown, of, noneInside, none, actions, children }: ListCardProps) {
  const lack = of === 0 ? none : shown === 0 ? noneInside : null;
  return (
    <Card title={`${title} ${of}`} note={<ShownNote shown={shown} of={of} />} actions={actions}>
      {lack === null ? children : <p className="px-3 py-3 text-soft">{lack}</p>}
    </Card>
  );
}

interface RunExportsProps {
  snapshot: TreeNode;
  /** Those inside the plot's selection. */
  runs: readonly Candidate[];
  /** The selection excludes some. */
  isCut: boolean;
}

/** Exports of the recommended runs, if these are not all, and of all. */
function RunExports({ snapshot, runs, isCut }: RunExportsProps) {
  const recommended = runs.filter((run) => run.recommended);
  return (
    <>
      {recommended.length > 0 && recommended.length < runs.length && (
        <CandidateExport
          root={snapshot}
          what={isCut ? `the ${recommended.length} recommended shown` : 'recommended'}
          candidates={recommended}
        />
      )}
      {runs.length > 0 && (
        <CandidateExport root={snapshot} what={isCut ? `the ${runs.length} shown` : 'all'} candidates={runs} />
      )}
    </>
  );
}

/** From this width on, full and LoRA training stand side by side. */
const WIDE = 720;
/** Below this width, names stand above their values. */
const STACKED = 520;

/** The room of the element with the ref. Before it is measured (width 0) it is wide: a narrow one is the exception. */
function useTableRoom(): readonly [RefCallback<HTMLDivElement>, TableRoom] {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const isPrinting = usePrinting();
  if (isPrinting) return [ref, 'narrow'];
  return [ref, width === 0 || width >= WIDE ? 'wide' : width < STACKED ? 'stacked' : 'narrow'];
}

interface RecordListsProps {
  snapshot: TreeNode;
  record: ReadRecommendation;
  /** Ids of the models that the service can run now. */
  served: ReadonlySet<string>;
  /** null: not known yet. */
  session: SessionInfo | null;
}

/** The content of a record: the answer, then a plot of all candidates, base models and experiments. */
export function RecordLists({ snapshot, record, served, session }: RecordListsProps) {
  const { brush } = useUrlState();
  const [ref, room] = useTableRoom();
  const isLocal = session?.mode === 'local';
  const jobs = useSnapshotJobs(snapshot);
  const findKnownRuns = useKnownRuns(snapshot, jobs);
  const withPacking = usePacking(snapshot, jobs, isLocal);
  const choices = useMemo(() => withPacking(toChoices(record)), [record, withPacking]);
  const brushed = useBrushed(choices, brush);
  const compare = useCompare(snapshot.id);
  const isAbsolute = useIsRate();
  const { candidates, models, experiments } = choices;
  if (models.length === 0 && experiments.length === 0) return <EmptyRecord status={record.status} />;

  const control: ListControl = {
    ...compare,
    served,
    isFaded: (candidate) => candidate !== null && !brushed.isInside(candidate),
  };
  const hasSmallRate = candidates.some((candidate) => isLikelyAbsoluteRate(candidate.learning_rate_multiplier));
  const compared = candidates.filter(({ key }) => compare.seriesOf(key) !== null);
  const isCut = brushed.experiments.length < experiments.length;
  return (
    <RateMark value={!isAbsolute}>
      <PlaceMark value={isLocal}>
        <KnownRuns value={findKnownRuns}>
          <div ref={ref} className="flex min-w-0 flex-col gap-3.5">
            <NextCard snapshot={snapshot} choices={choices} />
            {candidates.length > 0 && (
              <CompareBar
                snapshot={snapshot}
                choices={choices}
                exportMenu={compared.length > 0 && <CandidateExport root={snapshot} candidates={compared} />}
              />
            )}
            {candidates.length > 1 && (
              <PlotCard candidates={candidates} compare={compare} hasSelection={brush.length > 0} />
            )}
            {!isAbsolute && hasSmallRate && <RateNote />}
            <ListCard
              title="Base models"
              shown={brushed.models.length}
              of={models.length}
              noneInside="No base model is inside the selection in the plot."
              none="The service named no base model."
            >
              <ModelTable models={brushed.models} control={control} room={room} />
            </ListCard>
            <ListCard
              title="Proposed runs"
              shown={brushed.experiments.length}
              of={experiments.length}
              noneInside="No run is inside the selection in the plot."
              none="The service proposed no run. Choose among the base models above."
              actions={<RunExports snapshot={snapshot} runs={brushed.experiments} isCut={isCut} />}
            >
              <ExperimentTable experiments={brushed.experiments} compare={compare} isStacked={room === 'stacked'} />
            </ListCard>
          </div>
        </KnownRuns>
      </PlaceMark>
    </RateMark>
  );
}
