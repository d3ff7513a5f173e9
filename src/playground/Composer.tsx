import type { KeyboardEvent } from 'react';
import { Button } from '../ui/Button';
import { TextArea } from '../ui/TextArea';
import { isBusy, panePhase } from './desk';
import { useDesk } from './deskStore';
import { MESSAGE_FIELD_ID } from './messageField';
import { isSendKey } from './sendKey';
import { useActions } from './playgroundActions';

/** One message for all panes. */
export function Composer() {
  const { runObstacle, sendMessage, setDraft, setSystemPrompt, stopAll } = useActions();
  const draft = useDesk(({ desk }) => desk.draft);
  const systemPrompt = useDesk(({ desk }) => desk.systemPrompt);
  const count = useDesk(({ desk }) => desk.panes.length);
  const isAnyBusy = useDesk(({ desk }) => desk.panes.some((pane) => isBusy(panePhase(pane))));
  const obstacle = useDesk(({ desk }) => runObstacle(desk));
  const isLoaded = useDesk((state) => state.storage.isLoaded);

  const run = () => void sendMessage();
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, keyCode } = event;
    if (!isSendKey({ key, shiftKey, ctrlKey, metaKey, keyCode, isComposing: event.nativeEvent.isComposing })) return;
    event.preventDefault();
    run();
  };
  return (
    <form aria-label="Composer" onSubmit={(event) => event.preventDefault()} className="flex shrink-0 flex-col gap-2 border-t border-line px-3 py-2.5">
      <TextArea label="System prompt" isLabelHidden rows={1} value={systemPrompt} onChange={setSystemPrompt} placeholder="System prompt (optional)" className="text-sm" />
      <div className="flex items-end gap-2">
        <TextArea
          id={MESSAGE_FIELD_ID}
          label="Message"
          isLabelHidden
          rows={2}
          value={draft}
          onChange={setDraft}
          onKeyDown={onKeyDown}
          readOnly={!isLoaded}
          placeholder={count > 1 ? `Message all ${count} panes…` : 'Message…'}
        />
        <div className="flex shrink-0 flex-col gap-1.5">
          <Button onClick={stopAll} disabledReason={isAnyBusy ? null : 'No answer is on its way.'}>
            Stop
          </Button>
          <Button variant="primary" onClick={run} disabledReason={obstacle}>
            Run <kbd aria-hidden className="rounded border border-current/35 px-1 font-mono text-2xs">↵</kbd>
          </Button>
        </div>
      </div>
    </form>
  );
}
