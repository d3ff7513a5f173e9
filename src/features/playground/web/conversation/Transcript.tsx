import { ArrowDown } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { isBusy, panePhase, paneSettings, type Turn } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { isStartAlone } from '#features/playground/web/desk/conversation.ts';
import { MessageView } from './MessageView.tsx';
import { isTurnBusy } from '#features/playground/web/desk/turns.ts';
import { useGrowingList } from './useGrowingList.ts';
import { useStickToBottom } from './useStickToBottom.ts';
import { fillText } from '#features/playground/web/desk/variables.ts';

interface TranscriptProps {
  paneId: string;
  /** Shown while there are no messages. */
  empty: ReactNode;
  renderTurn: (turn: Turn, place: { isFirst: boolean; isLast: boolean }) => ReactNode;
}

/** The key of a running answer at the end. It stays the same while the answer streams, whichever version is shown. */
const toRequestKey = (last: Turn | undefined): string | null =>
  last?.role === 'assistant' && isTurnBusy(last) ? `${last.id} ${last.versions.length}` : null;

const NO_TURNS: readonly Turn[] = [];
/** The keyboard scrolls messages by their buttons. An introduction may have no button, so its box takes the focus. */
const SCROLLED_BY_KEYS = { role: 'group', 'aria-label': 'Conversation', tabIndex: 0 } as const;

/** Between messages that are sent alone: the model doesn't see what is above. */
function AloneDivider() {
  return (
    <div className="flex items-center gap-2 border-b border-line px-3 py-0.5 text-xs text-faint">
      <i aria-hidden className="h-px flex-1 bg-line-strong" />
      sent alone
      <i aria-hidden className="h-px flex-1 bg-line-strong" />
    </div>
  );
}

export function Transcript({ paneId, empty, renderTurn }: TranscriptProps) {
  const turns = usePane(paneId, (pane) => pane.turns) ?? NO_TURNS;
  const phase = usePane(paneId, panePhase) ?? 'idle';
  const isStreaming = isBusy(phase);
  const isAlone = usePane(paneId, (_pane, desk) => desk.isAlone === true) ?? false;
  const systemPrompt =
    usePane(paneId, (pane, desk) => fillText(desk, paneSettings(desk, pane).systemPrompt ?? '')) ?? '';
  const { box, content, isScrolledUp, scrollToEnd } = useStickToBottom(
    phase === 'streaming',
    toRequestKey(turns.at(-1)),
    turns.length > 0,
  );
  const from = useGrowingList(turns.length);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={box}
        {...(turns.length === 0 && SCROLLED_BY_KEYS)}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain"
      >
        <div ref={content}>
          {turns.length === 0 && empty}
          {from === 0 && turns.length > 0 && systemPrompt.trim() !== '' && (
            <MessageView author="system" text={systemPrompt} />
          )}
          {turns.slice(from).map((turn, index) => (
            <Fragment key={turn.id}>
              {isAlone && isStartAlone(turns, from + index) && <AloneDivider />}
              {renderTurn(turn, { isFirst: from + index === 0, isLast: from + index === turns.length - 1 })}
            </Fragment>
          ))}
        </div>
      </section>
      {isScrolledUp && isStreaming && (
        <div className="absolute inset-x-0 bottom-2 flex justify-center">
          <Button size="small" className="shadow-pop" onClick={scrollToEnd}>
            <ArrowDown aria-hidden size={12} /> New text below
          </Button>
        </div>
      )}
    </div>
  );
}
