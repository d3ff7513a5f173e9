import { CircleStop, LoaderCircle, Unplug, Clock } from 'lucide-react';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { lastAnswer, type Answer } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { RESTART_CODES } from '#core/contract/errors.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { countUnfinished } from '#features/playground/web/desk/sampleRetry.ts';
import { formatDuration } from '#ui/kit/format.ts';
import { useNow } from '#ui/kit/useNow.ts';
import { stopPane } from '#features/playground/web/desk/actions.ts';

interface RetryWaitProps {
  paneId: string;
  /** Unix milliseconds. */
  until: number;
  /** The engine's process has ended; otherwise the service asked to wait. */
  isRestart: boolean;
  reason: string;
}

function RetryWait({ paneId, until, isRestart, reason }: RetryWaitProps) {
  const now = useNow(250);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div className="mx-3 mb-1.5 flex items-start gap-2 rounded-lg bg-warning-soft px-2.5 py-1.5 text-sm">
      <Clock aria-hidden size={13} className="mt-1 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 py-0.5 [overflow-wrap:anywhere]">
        <b className="text-warning">
          {isRestart ? 'The engine restarts' : 'The service asked to wait (429)'}. Trying again in {seconds} s.
        </b>{' '}
        {reason}
      </p>
      <Button size="small" onClick={() => stopPane(paneId)}>
        Cancel
      </Button>
    </div>
  );
}

interface WaitingLineProps {
  what: string;
  /** Unix milliseconds. */
  since: number;
}

function WaitingLine({ what, since }: WaitingLineProps) {
  const now = useNow(200);
  return (
    <p className="flex h-6 items-center gap-1.5 px-3 text-sm text-soft">
      <LoaderCircle aria-hidden size={13} className="animate-turn text-running" />
      Waiting for {what} · {formatDuration(Math.max(0, now - since))}
    </p>
  );
}

interface AnswerNoticeProps {
  answer: Answer;
  paneId: string;
}

/** The notice below an answer: waiting, stopped, interrupted or failed. */
export function AnswerNotice({ answer, paneId }: AnswerNoticeProps) {
  const ask = useRunAction();
  // A sample is asked for again together with the others of its set.
  const isLast = usePane(paneId, (pane) => lastAnswer(pane)?.id === answer.id && countUnfinished(pane) === 0) ?? false;
  const retry = isLast ? () => void ask((actions, mode) => actions.retryPane(mode, paneId)) : undefined;
  const { failure, message, isCopied = false } = answer;
  switch (answer.phase) {
    case 'queued':
      return <WaitingLine what="a free connection" since={answer.sentAt} />;
    case 'sending':
      return answer.waitUntil === null ? (
        <WaitingLine what="the first token" since={answer.sentAt} />
      ) : (
        <RetryWait
          paneId={paneId}
          until={answer.waitUntil}
          isRestart={RESTART_CODES.has(failure?.code ?? null)}
          reason={failure?.message ?? ''}
        />
      );
    case 'streaming':
      return null;
    case 'done': {
      const reason = message.finish_reason;
      return reason === null || reason === 'stop' ? null : (
        <p className="px-3 pb-1 text-sm text-soft">ended by: {reason}</p>
      );
    }
    case 'stopped':
      return (
        <p className="flex items-center gap-1.5 px-3 pb-1 text-sm text-soft">
          <CircleStop aria-hidden size={13} /> stopped
        </p>
      );
    case 'interrupted':
      return (
        <div className="mx-3 mb-1.5 flex items-start gap-2 rounded-lg bg-warning-soft px-2.5 py-1.5 text-sm">
          <Unplug aria-hidden size={13} className="mt-1 shrink-0 text-warning" />
          <p className="min-w-0 flex-1 py-0.5 [overflow-wrap:anywhere]">
            <b className="text-warning">{isCopied ? 'copied' : 'interrupted'}</b>{' '}
            {isCopied
              ? 'This tab was duplicated while the answer was arriving. This is the text up to then; the other tab ' +
                'receives the rest.'
              : (failure?.message ?? 'The page was closed or reloaded while this was being written.')}
          </p>
          {retry && !isCopied && (
            <Button size="small" onClick={retry}>
              Retry
            </Button>
          )}
        </div>
      );
    case 'failed':
      return (
        <div className="px-3 pb-2">
          <ErrorNotice
            title={failure?.status == null ? 'The answer failed' : `The answer failed with status ${failure.status}`}
            detail={
              <span className="[overflow-wrap:anywhere]">
                {[
                  failure?.message,
                  failure?.code && `(${failure.code})`,
                  failure?.param && !failure.message.includes(failure.param) && `in ${failure.param}`,
                ]
                  .filter(Boolean)
                  .join(' ')}
              </span>
            }
            hint={[failure?.hint, failure?.requestId && `Request ${failure.requestId}.`].filter(Boolean).join(' ')}
            onRetry={retry}
            retryLabel="Retry"
          />
        </div>
      );
    default: {
      const unknown: never = answer.phase;
      return unknown;
    }
  }
}
