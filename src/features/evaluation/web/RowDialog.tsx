import { useState } from 'react';
import { LINE_VARIABLE, type PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { findVariables } from '#features/evaluation/shared/template.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import {
  appendRows,
  changeRow,
  removeRow,
  rowVariables,
  toWrittenRow,
} from '#features/evaluation/web/grid/gridSetup.ts';
import { changeSetup } from './gridActions.ts';
import { useGrid } from './gridStore.ts';
import { toMessageText } from '#features/evaluation/web/grid/gridWords.ts';

interface RowDialogProps {
  /** Index of the row; null: a new row. */
  row: number | null;
  onClose: () => void;
}

const NEW: PromptRow = { number: 0, messages: null, variables: new Map(), expected: null };

/** Shows and edits a row's prompt, variables and expected answer. */
export function RowDialog({ row, onClose }: RowDialogProps) {
  const setup = useGrid((state) => state.setup);
  const disabledReason = useGrid((state) => (state.run.phase === 'idle' ? null : 'Pause the run first.'));
  const entry = (row === null ? null : setup.rows[row]) ?? NEW;
  const [messages, setMessages] = useState(entry.messages);
  const [variables, setVariables] = useState(entry.variables);
  const [expected, setExpected] = useState(entry.expected ?? '');
  const names =
    entry.messages === null
      ? [
          ...new Set([
            ...findVariables([setup.prompt]),
            ...rowVariables([entry]),
            ...(row === null ? rowVariables(setup.rows.slice(0, 1)) : []),
          ]),
        ]
      : rowVariables([entry]);
  const isEmpty = entry.messages === null && names.every((name) => (variables.get(name) ?? '').trim() === '');

  const toRow = (): PromptRow => {
    const written = toWrittenRow(variables, expected === '' ? null : expected, messages);
    const texts = new Map(written.variables);
    if (texts.has('expected')) texts.set('expected', expected);
    // An unchanged question stays the same object, so its answers stay.
    const isSameText =
      [...texts].every(([name, text]) => name === 'expected' || entry.variables.get(name) === text) &&
      texts.size === entry.variables.size;
    return { ...written, variables: isSameText ? entry.variables : texts };
  };
  const save = (): void => {
    if (row === null) changeSetup(appendRows(setup, [toRow()]));
    else changeSetup(changeRow(setup, row, toRow()));
  };
  const addAnother = (): void => {
    save();
    setVariables(NEW.variables);
    setExpected('');
  };
  const saveReason = disabledReason ?? (isEmpty ? 'Write a prompt first.' : null);
  return (
    <Dialog isOpen onClose={onClose} title={row === null ? 'New row' : `Row ${entry.number}`}>
      <div className="flex flex-col gap-3">
        {messages?.map(({ role, content, tool_calls = [] }, at) =>
          tool_calls.length > 0 ? (
            <p
              key={`${String(at)}-calls`}
              className="text-sm whitespace-pre-wrap text-soft"
            >{`assistant calls:\n${toMessageText(content, tool_calls)}`}</p>
          ) : (
            <TextArea
              key={`${String(at)}-${role}`}
              label={role}
              value={content}
              onChange={(text) =>
                setMessages(messages.map((message, index) => (index === at ? { ...message, content: text } : message)))
              }
            />
          ),
        )}
        {(names.length === 0 && messages === null ? [LINE_VARIABLE] : names).map((name) => (
          <TextArea
            key={name}
            label={name}
            value={variables.get(name) ?? ''}
            onChange={(text) => setVariables(new Map([...variables, [name, text]]))}
          />
        ))}
        <TextArea label="Expected answer (empty: none)" value={expected} onChange={setExpected} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => (save(), onClose())} disabledReason={saveReason}>
            {row === null ? 'Add row' : 'Save row'}
          </Button>
          {row === null ? (
            <Button onClick={addAnother} disabledReason={saveReason}>
              Add and write another
            </Button>
          ) : (
            <Button
              variant="danger"
              className="ml-auto"
              disabledReason={disabledReason}
              onClick={() => {
                changeSetup(removeRow(setup, row), `Row ${entry.number} removed`);
                onClose();
              }}
            >
              Remove row
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
