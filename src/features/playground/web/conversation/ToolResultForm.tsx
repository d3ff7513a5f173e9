import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import type { AnswerToolCall } from '#core/stream/message.ts';
import { examplesQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { useDesk, usePane } from '#features/playground/web/desk/deskStore.ts';
import { parseJsonText } from '#core/contract/jsonText.ts';
import { addResults, shareResult, findSameCalls } from '#features/playground/web/desk/toolAnswers.ts';
import { forgetUnsaved, writeUnsaved } from '#features/playground/web/desk/turnActions.ts';
import { findUnsaved, NOTHING_UNSAVED } from '#features/playground/web/desk/unsaved.ts';

interface ToolResultFormProps {
  paneId: string;
  turnId: string;
  answerId: string;
  call: AnswerToolCall;
  /** Called when the result is added, which removes this form. */
  onAdd: () => void;
}

const EMPTY_REASON = 'Write the result first, or null for none.';

/** A text that starts like JSON is probably meant as JSON. */
function findHint(text: string): string {
  if (!/^\s*[{[]/.test(text)) return '';
  const json = parseJsonText(text);
  return json.ok ? '' : `Not valid JSON at line ${json.line}; it is sent as it is.`;
}

/** A person writes the result of a call here, in place of the tool. */
export function ToolResultForm({ paneId, turnId, answerId, call, onAdd }: ToolResultFormProps) {
  const place = { kind: 'result', answerId, callId: call.id } as const;
  const draft = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, place)?.text.content) ?? '';
  const sameCalls = useDesk(({ desk }) => findSameCalls(desk, paneId, call).length);
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const continues = useQuery(examplesQuery(model)).data?.continues_after_tool;
  const emptyReason = draft.trim() === '' ? EMPTY_REASON : null;
  const hint = findHint(draft);

  const add = () => {
    // The draft stays stored, so deleting the result brings it back.
    if (emptyReason !== null) return;
    onAdd();
    addResults(paneId, turnId, [{ callId: call.id, content: draft }]);
  };
  const share = () => {
    shareResult(paneId, call, draft);
    add();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  return (
    <fieldset
      aria-label={`Answer ${call.name || call.id}`}
      className="flex min-w-0 flex-col gap-1.5 border-t border-line px-2.5 py-2"
    >
      <TextArea
        label={`Result of ${call.name || call.id}`}
        isLabelHidden
        rows={2}
        value={draft}
        onChange={(content) => (content === '' ? forgetUnsaved(place) : writeUnsaved({ ...place, text: { content } }))}
        onKeyDown={onKeyDown}
        placeholder="Result of the tool: JSON or text"
        spellCheck={false}
        className="font-mono text-sm"
      />
      {continues === false && (
        <p className="text-sm text-soft">This model was trained to call tools, but not to continue after a result.</p>
      )}
      {hint !== '' && <p className="text-sm text-warning">{hint}</p>}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button size="small" onClick={add} disabledReason={emptyReason}>
          Add result
        </Button>
        {sameCalls > 0 && (
          <Button size="small" onClick={share} disabledReason={emptyReason}>
            {sameCalls === 1
              ? 'Use for the same call in 1 other pane'
              : `Use for the same call in ${sameCalls} other panes`}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
