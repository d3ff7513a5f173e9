import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { projectsQuery } from '#ui/client/queries.ts';
import { addRunRoot } from '#features/runs/web/api/runQueries.ts';
import { runRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { readUrl, toProject, updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { RootEntry } from './RootEntry.tsx';

interface RunFoldersProps {
  onClose: () => void;
}

/** The folders that runs are read from: add one, see what was found, remove one. */
function FolderList({ onClose }: RunFoldersProps) {
  const client = useQueryClient();
  const { data: roots, error, isPending, refetch } = useQuery(runRootsQuery());
  const now = useNow(1000);
  const [path, setPath] = useState('');
  const readOnlyReason = useReadOnlyReason();
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const renew = () => {
    void refetch();
    void client.invalidateQueries({ queryKey: projectsQuery().queryKey });
  };
  const add = async () => {
    setSending(true);
    setProblem(null);
    try {
      await addRunRoot(path.trim());
      setPath('');
      renew();
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : 'The studio did not answer.');
    } finally {
      setSending(false);
    }
  };
  const typed = path.trim() === '' ? 'Type the path of a folder first.' : null;
  const reason = readOnlyReason ?? typed ?? (isSending ? 'It is being added.' : null);
  if (isPending) return <Skeleton rows={5} />;
  if (roots === null)
    return (
      <p>
        This studio reads no folders: it passes requests on to another one. Start a studio of your own on the machine
        that has the runs: <code className="font-mono">npm start -- --runs ~/outputs</code>.
      </p>
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        Runs of TRL, Axolotl, LLaMA-Factory, Unsloth and others become a project: the same tree, tables, curves and
        comparison. Files are only read; nothing in them is run.
      </p>
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === null) void add();
        }}
      >
        <TextField
          label="Folder on the studio’s machine"
          isLabelHidden
          placeholder="/data/outputs"
          value={path}
          onChange={(next) => {
            setPath(next);
            setProblem(null);
          }}
          problem={problem}
          spellCheck={false}
          className="flex-1"
        />
        <Button type="submit" variant="primary" disabledReason={reason}>
          Add folder
        </Button>
      </form>
      {error !== null && (
        <ErrorNotice
          title="The folders can’t be listed"
          detail={error.message}
          hint={error instanceof ApiFailure ? error.hint : undefined}
          onRetry={() => void refetch()}
        />
      )}
      {roots?.length === 0 && <p>No folder yet.</p>}
      <ul className="flex flex-col gap-2.5">
        {roots?.map((root) => (
          <RootEntry
            key={root.id}
            root={root}
            now={now}
            onChange={renew}
            onRemoved={() => {
              // Another project opens, where there is one.
              if (readUrl().project === root.id) updateUrl(toProject(null));
            }}
            onOpen={() => {
              updateUrl(toProject(root.id));
              onClose();
            }}
          />
        ))}
      </ul>
    </div>
  );
}

export function RunFolders({ onClose }: RunFoldersProps) {
  return (
    <Dialog title="Run folders" isOpen onClose={onClose}>
      <FolderList onClose={onClose} />
    </Dialog>
  );
}
