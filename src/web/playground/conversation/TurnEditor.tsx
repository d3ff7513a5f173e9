import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/fields/Select.tsx';
import { TextArea } from '#web/ui/fields/TextArea.tsx';
import { TextField } from '#web/ui/fields/TextField.tsx';
import type { TurnRole, TurnText } from '#web/playground/desk/unsaved.ts';

interface TurnEditorProps {
  role: TurnRole;
  /** What it was before, or what a new one begins with. */
  start: TurnText;
  value: TurnText;
  onChange: (text: TurnText) => void;
  /** It was asked for, and takes the focus: each time another object. */
  asked: object | null;
  /** Given: the message is new, and who says it can be chosen. */
  onRole?: (role: TurnRole) => void;
  onSave: (text: TurnText) => void;
  /** Why it can't be saved now. */
  saveHold?: string | null;
  /** Absent: there is nothing to run from here. */
  onSaveAndRun?: (text: TurnText) => void;
  /** Why nothing can be run now. */
  runHold?: string | null;
  onCancel: () => void;
}

const ROLES = [
  { value: 'user', label: 'user' },
  { value: 'assistant', label: 'assistant' },
  { value: 'tool', label: 'tool' },
] as const;

/**
 * A message while it is written or changed, in its place. Ctrl+Enter saves, and runs from a user's message; Escape
 * gives up.
 */
export function TurnEditor({
  role,
  start,
  value: text,
  onChange,
  asked,
  onRole,
  onSave,
  saveHold = null,
  onSaveAndRun,
  runHold = null,
  onCancel,
}: TurnEditorProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (asked) box.current?.querySelector('textarea')?.focus();
  }, [asked]);
  const patch = (more: Partial<TurnText>) => onChange({ ...text, ...more });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (role === 'user' && onSaveAndRun && runHold === null) onSaveAndRun(text);
      else if (saveHold === null) onSave(text);
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
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          size="small"
          variant={onSaveAndRun ? 'default' : 'primary'}
          onClick={() => onSave(text)}
          disabledReason={saveHold}
        >
          {onRole ? 'Insert' : 'Save'}
        </Button>
        {onSaveAndRun && (
          <Button size="small" variant="primary" onClick={() => onSaveAndRun(text)} disabledReason={runHold}>
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
