import { Suspense, useMemo, useState } from 'react';
import { ListX } from 'lucide-react';
import { toStateWord } from '#core/contract/statuses.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { keepPlot, readKeptPlot } from '#features/experiments/web/compareState/keptPlot.ts';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toChoices } from '#features/experiments/shared/candidates.ts';
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
import { PlaceMark, RateMark, type ListControl } from './listControl.ts';
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
  /** Text while nothing is filtered. */
  otherwise: string;
  onShowAll: () => void;
}

/** How many entries are inside the plot's selection, and a button that shows all. */
function ShownNote({ shown, of, otherwise, onShowAll }: ShownNoteProps) {
  if (shown === of) return otherwise;
  return (
    <>
      {shown} shown, {of - shown} outside the plot’s selection
      <button
        type="button"
        onClick={onShowAll}
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

interface RecordListsProps {
  snapshot: TreeNode;
  record: ReadRecommendation;
  /** Ids of the models that the service can run now. */
  served: ReadonlySet<string>;
  /** null: not known yet. */
  session: SessionInfo | null;
}

/** The plot is not part of the first view: the lists load first. */
const PLOT_ROOM = <Skeleton rows={6} className="h-74 p-3" />;

/** From this width on, full and LoRA training stand side by side. */
const WIDE = 720;
/** Below this width, names stand above their values. */
const STACKED = 520;

/** The content of a record: the answer, then a plot of all candidates, base models and experiments. */
export function RecordLists({ snapshot, record, served, session }: RecordListsProps) {
  const { brush } = useUrlState();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const isPrinting = usePrinting();
  const isLocal = session?.mode === 'local';
  const jobs = useSnapshotJobs(snapshot);
  const findKnownRuns = useKnownRuns(snapshot, jobs);
  const withPacking = usePacking(snapshot, jobs, isLocal);
  const choices = useMemo(() => withPacking(toChoices(record)), [record, withPacking]);
  const brushed = useBrushed(choices, brush);
  const isIdle = useIdle();
  const [plotChoice, setPlotChoice] = useState<boolean | null>(null);
  const compare = useCompare(snapshot.id);
  const isAbsolute = useIsRate();
  const { candidates } = choices;
  // A link with a selection shows where it was made.
  const isPlotOpen = plotChoice ?? (readKeptPlot() === 'parallel' || brush.length > 0);
  if (choices.models.length === 0 && choices.experiments.length === 0) return <EmptyRecord status={record.status} />;

  const control: ListControl = {
    ...compare,
    served,
    isFaded: (candidate) => candidate !== null && !brushed.isInside(candidate),
  };
  const hasSmallRate = candidates.some((candidate) => isLikelyAbsoluteRate(candidate.learning_rate_multiplier));
  const starred = findStarred(choices);
  const compared = candidates.filter(({ key }) => compare.seriesOf(key) !== null);
  const recommended = brushed.experiments.filter((experiment) => experiment.recommended);
  const isCut = brushed.experiments.length < choices.experiments.length;
  // Before it is measured (width 0) the panel counts as wide: a narrow one is the exception on a new page.
  const room =
    !isPrinting && (width === 0 || width >= WIDE) ? 'wide' : !isPrinting && width < STACKED ? 'stacked' : 'narrow';
  const onShowAll = () => updateUrl({ brush: [] }, { replace: true });
  return (
    <RateMark value={!isAbsolute}>
      <PlaceMark value={isLocal}>
        <KnownRuns value={findKnownRuns}>
          <div ref={ref} className="flex min-w-0 flex-col gap-3.5">
            {starred.length === 0 && choices.experiments.length > 0 && (
              <Card
                title="Nothing to train next"
                note={toTextLead(choices.models[0]?.reason_for_recommendation ?? '').lead || 'No run is recommended.'}
                actions={<StartButton snapshot={snapshot} isQuiet />}
              />
            )}
            {starred.length > 0 && (
              <StarredCard
                starred={starred}
                actions={<StartButton snapshot={snapshot} />}
                renderExport={(candidate) => (
                  <CandidateExport root={snapshot} candidates={[candidate]} what="config" isFormatKept />
                )}
              />
            )}
            {candidates.length > 0 && (
              <CompareBar
                snapshot={snapshot}
                choices={choices}
                exportMenu={compared.length > 0 && <CandidateExport root={snapshot} candidates={compared} />}
              />
            )}
            {candidates.length > 1 && (
              <Card
                title={`Candidates ${candidates.length}`}
                actions={
                  <Button
                    size="small"
                    variant="quiet"
                    aria-expanded={isPlotOpen}
                    onClick={() => {
                      setPlotChoice(!isPlotOpen);
                      keepPlot(isPlotOpen ? 'loss' : 'parallel');
                    }}
                  >
                    Parallel plot
                  </Button>
                }
              >
                {isPlotOpen ? (
                  <Suspense fallback={PLOT_ROOM}>
                    {isIdle ? <RecordPlot candidates={candidates} compare={compare} /> : PLOT_ROOM}
                  </Suspense>
                ) : undefined}
              </Card>
            )}
            {!isAbsolute && hasSmallRate && <RateNote />}
            <Card
              title={`Base models ${choices.models.length}`}
              note={
                <ShownNote
                  shown={brushed.models.length}
                  of={choices.models.length}
                  otherwise="recommended first"
                  onShowAll={onShowAll}
                />
              }
            >
              {brushed.models.length === 0 && choices.models.length > 0 ? (
                <p className="px-3 py-3 text-soft">No base model is inside the selection in the plot.</p>
              ) : choices.models.length > 0 ? (
                <ModelTable models={brushed.models} control={control} room={room} />
              ) : (
                <p className="px-3 py-3 text-soft">The service named no base model.</p>
              )}
            </Card>
            <Card
              title={`Proposed runs ${choices.experiments.length}`}
              note={
                <ShownNote
                  shown={brushed.experiments.length}
                  of={choices.experiments.length}
                  otherwise="recommended first"
                  onShowAll={onShowAll}
                />
              }
              actions={
                <>
                  {recommended.length > 0 && recommended.length < brushed.experiments.length && (
                    <CandidateExport
                      root={snapshot}
                      what={isCut ? `the ${recommended.length} recommended shown` : 'recommended'}
                      candidates={recommended}
                    />
                  )}
                  {brushed.experiments.length > 0 && (
                    <CandidateExport
                      root={snapshot}
                      what={isCut ? `the ${brushed.experiments.length} shown` : 'all'}
                      candidates={brushed.experiments}
                    />
                  )}
                </>
              }
            >
              {brushed.experiments.length === 0 && choices.experiments.length > 0 ? (
                <p className="px-3 py-3 text-soft">No run is inside the selection in the plot.</p>
              ) : choices.experiments.length > 0 ? (
                <ExperimentTable experiments={brushed.experiments} compare={compare} isStacked={room === 'stacked'} />
              ) : (
                <p className="px-3 py-3 text-soft">The service proposed no run. Choose among the base models above.</p>
              )}
            </Card>
          </div>
        </KnownRuns>
      </PlaceMark>
    </RateMark>
  );
}
