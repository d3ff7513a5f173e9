import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import type { TurnRole, TurnText } from '#features/playground/web/desk/unsaved.ts';

interface TurnEditorProps {
  role: TurnRole;
  /** The text before the change, or the first text of a new message. */
  start: TurnText;
  value: TurnText;
  onChange: (text: TurnText) => void;
  /** A new object each time a person opens the editor, which then takes the focus. null after a reload. */
  opened: object | null;
  /** If given, the message is new and its role can be chosen. */
  onRole?: (role: TurnRole) => void;
  /** How many other panes have the same message. */
  sameCount?: number;
  /** The change goes to those panes too. */
  isForAll?: boolean;
  onForAll?: (isForAll: boolean) => void;
  onSave: (text: TurnText) => void;
  /** Why it can't be saved now. */
  saveObstacle?: string | null;
  /** Saves an answer and adds it to the training examples. */
  onSaveExpected?: ((text: TurnText) => void) | undefined;
  /** Absent if there is nothing to run from here. */
  onSaveAndRun?: (text: TurnText) => void;
  /** Why nothing can be run now. */
  runObstacle?: string | null;
  onCancel: () => void;
}

const ROLES = [
  { value: 'user', label: 'user' },
  { value: 'assistant', label: 'assistant' },
  { value: 'tool', label: 'tool' },
] as const;

/** Writes or changes a message in its place. Ctrl+Enter saves, and runs from a user's message; Escape cancels. */
export function TurnEditor({
  role,
  start,
  value: text,
  onChange,
  opened,
  onRole,
  sameCount = 0,
  isForAll = true,
  onForAll,
  onSave,
  saveObstacle = null,
  onSaveExpected,
  onSaveAndRun,
  runObstacle = null,
  onCancel,
}: TurnEditorProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (opened) box.current?.querySelector('textarea')?.focus();
  }, [opened]);
  const patch = (more: Partial<TurnText>) => onChange({ ...text, ...more });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (role === 'user' && onSaveAndRun && runObstacle === null) onSaveAndRun(text);
      else if (saveObstacle === null) onSave(text);
    } else if (event.key === 'Escape' && text.content === start.content) {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <fieldset
      ref={box}
      aria-label={onRole ? 'New message' : 'Edit message'}
      className="flex min-w-0 flex-col gap-2 border-b border-line bg-raised px-3 py-2"
    >
      {onRole ? (
        <Select
          label="From"
          value={role}
          options={ROLES}
          onChange={(value) => onRole(ROLES.find((each) => each.value === value)?.value ?? role)}
        />
      ) : (
        <p className="text-xs font-semibold text-faint">{role}</p>
      )}
      {role === 'tool' && (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label="Call id"
            value={text.tool_call_id ?? ''}
            onChange={(tool_call_id) => patch({ tool_call_id })}
            spellCheck={false}
          />
          <TextField label="Tool" value={text.name ?? ''} onChange={(name) => patch({ name })} spellCheck={false} />
        </div>
      )}
      <TextArea
        label={role === 'tool' ? 'Result' : 'Text'}
        isLabelHidden={role !== 'tool'}
        rows={3}
        value={text.content}
        onChange={(content) => patch({ content })}
        onKeyDown={onKeyDown}
      />
      {sameCount > 0 && onForAll && (
        <Select
          label="Change in"
          value={isForAll ? 'all' : 'this'}
          options={[
            { value: 'all', label: `all ${sameCount + 1} panes with this message` },
            { value: 'this', label: 'this pane' },
          ]}
          onChange={(value) => onForAll(value === 'all')}
        />
      )}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          size="small"
          variant={onSaveAndRun ? 'default' : 'primary'}
          onClick={() => onSave(text)}
          disabledReason={saveObstacle}
        >
          {onRole ? 'Insert' : 'Save'}
        </Button>
        {onSaveExpected && (
          <Button size="small" onClick={() => onSaveExpected(text)} disabledReason={saveObstacle}>
            Save as expected answer
          </Button>
        )}
        {onSaveAndRun && (
          <Button size="small" variant="primary" onClick={() => onSaveAndRun(text)} disabledReason={runObstacle}>
            Save and run
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  );
}
