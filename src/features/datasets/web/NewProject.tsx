import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { createProject, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { useFirstFocus } from '#ui/fields/useFirstFocus.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toErrorWords } from '#ui/client/failure.ts';

interface NewProjectProps {
  onClose: () => void;
}

/** Asks for name and goal, makes the project and opens it. */
export function NewProject({ onClose }: NewProjectProps) {
  const client = useQueryClient();
  const refusal = useReadOnlyReason();
  const id = useFirstFocus();
  const [name, setName] = useState('');
  const [goal, setGoal] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const create = async () => {
    setSending(true);
    setError(null);
    try {
      const id = await createProject(name.trim(), goal.trim());
      await refreshTrees(client);
      updateUrl(toProject(id));
      onClose();
      showToast(`Made the project ${name.trim()}. Next: drop a file with rows anywhere on this page.`);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      setSending(false);
    }
  };
  const reason =
    refusal ?? (name.trim() === '' ? 'Type a name first.' : isSending ? 'The project is being made.' : null);
  return (
    <Dialog title="New project" isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === null) void create();
        }}
      >
        {refusal !== null && <p className="text-soft">{refusal}</p>}
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={DATA_LIMITS.name}
          placeholder="Invoices"
          autoComplete="off"
          id={id}
        />
        <TextArea
          label="Goal (may be empty)"
          value={goal}
          onChange={setGoal}
          rows={3}
          maxLength={DATA_LIMITS.goal}
          placeholder="What the models should do, and how you will measure it"
        />
        {error !== null && <ErrorNotice title="The project was not made" {...toErrorWords(error)} />}
        <div className="flex flex-wrap justify-end gap-2">
          <span className="mr-auto">
            <Button variant="quiet" onClick={() => runCommand('import-project')}>
              Import project…
            </Button>
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabledReason={reason}>
            Make project
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
