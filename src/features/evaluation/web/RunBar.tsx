import { Pause, Play, RotateCw, Square } from 'lucide-react';
import { Button } from '#ui/kit/Button.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { pauseGrid, retryFailed, runGrid, stopGrid, type Ask } from './gridActions.ts';
import { toProgress } from '#features/evaluation/web/grid/gridProgress.ts';
import { countRemaining } from '#features/evaluation/web/grid/gridBook.ts';
import { readBook, useGrid } from './gridStore.ts';
import { toHoldText, toHoldTitle, toProgressText } from '#features/evaluation/web/grid/gridWords.ts';

interface RunBarProps {
  ask: Ask;
  /** Why the run can't start now; null: it can. */
  disabledReason: string | null;
}

/** Run, pause, stop, retry, and the progress. */
export function RunBar({ ask, disabledReason }: RunBarProps) {
  const { phase, startedAt, settledBefore, retries, hold } = useGrid((state) => state.run);
  useGrid((state) => state.pulse);
  const now = useNow(1000);
  const { counts } = readBook();
  const elapsedMs = startedAt === null ? null : Math.max(0, now - startedAt);
  const progress = toProgress({ counts, settledBefore, elapsedMs, retries });
  const text = toProgressText(progress, counts.failed, retries);
  const isIdle = phase === 'idle';
  const remaining = countRemaining(counts);
  const hasStarted = progress.settled > 0;
  return (
    <>
      {isIdle ? (
        <Button
          variant="primary"
          onClick={() => void runGrid(ask)}
          disabledReason={disabledReason ?? (remaining === 0 ? 'Every cell has an answer.' : null)}
        >
          <Play aria-hidden size={13} />{' '}
          {hasStarted && remaining > 0 ? `Resume, ${formatCount(remaining)} left` : 'Run grid'}
        </Button>
      ) : (
        <>
          <Button
            onClick={pauseGrid}
            disabledReason={phase === 'pausing' ? 'The run pauses when the current answers are complete.' : null}
          >
            <Pause aria-hidden size={13} /> {phase === 'pausing' ? 'Pausing' : 'Pause'}
          </Button>
          <Button onClick={stopGrid} title="Stops the current answers. Resume asks for them again.">
            <Square aria-hidden size={12} /> Stop
          </Button>
        </>
      )}
      {isIdle && counts.failed > 0 && (
        <Button onClick={() => void retryFailed(ask)} disabledReason={disabledReason}>
          <RotateCw aria-hidden size={13} /> Retry {formatCounted(counts.failed, 'cell')}
        </Button>
      )}
      <div className="flex min-w-36 flex-1 flex-col gap-1">
        <span className={`truncate text-sm ${hold === null ? 'text-soft' : 'text-warning'}`} title={hold?.message}>
          {text}
          {hold !== null && ` · ${toHoldText({ ...hold, ms: hold.until - now })}`}
        </span>
        {/* Without the countdown, which would be read out every second. */}
        <output className="sr-only">{hold !== null && toHoldTitle(hold)}</output>
        <progress
          aria-label="Answers"
          max={Math.max(1, progress.total)}
          value={progress.settled}
          aria-valuetext={text}
          className={
            'keeps-color h-1 w-full appearance-none overflow-hidden rounded-full border-0 bg-neutral-soft ' +
            '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-neutral-soft ' +
            '[&::-webkit-progress-value]:bg-accent'
          }
        />
      </div>
    </>
  );
}
