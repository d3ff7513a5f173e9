import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { formatBytes } from '#core/contract/numberNotation.ts';
import { createProject, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { SYNTHETIC_LIMITS } from '#features/datasets/shared/syntheticLimits.ts';
import { ProjectFields } from '#features/datasets/web/importing/ProjectFields.tsx';
import { NEW_PROJECT, useTargetProject } from '#features/datasets/web/importing/targetProject.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { modelsQuery, sessionQuery } from '#ui/client/queries.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import {
  findOrderProblem,
  startSynthetic,
  takeProject,
  type MadeProject,
  type SyntheticOrder,
} from './syntheticOrder.ts';

const TEXTS = '.txt,.md,.markdown,.jsonl,.ndjson,.json,.csv,text/plain,text/markdown,application/json';

interface TextFilesProps {
  value: readonly File[];
  onChange: (files: readonly File[]) => void;
  /** What the file dialog of the browser offers; undefined: any file. */
  accept: string | undefined;
}

/** Files of text, some at a time, each to be taken away again. */
function TextFiles({ value, onChange, accept }: TextFilesProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-soft">Texts that the rows come from (may be none)</span>
      <label
        htmlFor={id}
        className="relative inline-flex h-7 w-fit items-center rounded-md border border-line-strong bg-surface px-2.5 font-medium focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent"
      >
        Choose files
        <input
          id={id}
          type="file"
          multiple
          accept={accept}
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={(event) => {
            onChange([...value, ...(event.target.files ?? [])]);
            // The same file again must count as a choice.
            event.target.value = '';
          }}
        />
      </label>
      {value.length > 0 && (
        <ul aria-label="Files" className="flex max-h-40 flex-col overflow-y-auto">
          {value.map((file, at) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`} className="flex items-center gap-1.5">
              <span className="min-w-0 truncate">{file.name}</span>
              <span className="text-sm text-soft tabular-nums">{formatBytes(file.size)}</span>
              <IconButton
                label={`Leave out ${file.name}`}
                icon={<X aria-hidden size={13} />}
                onClick={() => onChange(value.toSpliced(at, 1))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The models that can be asked, and the choice of the service itself. */
function useTeachers(isLocal: boolean) {
  const { data } = useQuery(modelsQuery());
  const first = isLocal ? 'the first of --engine or --model' : 'the remote studio chooses';
  return [{ value: '', label: first }, ...(data ?? []).map(({ id }) => ({ value: id, label: id }))];
}

const START: SyntheticOrder = { name: '', files: [], rules: '', model: '', pairs: 50, temperature: 0.7 };

interface MakeDataProps {
  onClose: () => void;
}

function MakeForm({ onClose }: MakeDataProps) {
  const client = useQueryClient();
  const formId = useId();
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const teachers = useTeachers(isLocal);
  const target = useTargetProject('');
  const [order, setOrder] = useState(START);
  const [madeProject, setMadeProject] = useState<MadeProject | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const stopper = useRef<AbortController | null>(null);
  // Cancel, Escape and another page end it.
  useEffect(() => () => stopper.current?.abort(), []);
  const set =
    <Name extends keyof SyntheticOrder>(name: Name) =>
    (value: SyntheticOrder[Name]) =>
      setOrder((last) => ({ ...last, [name]: value }));
  const isNew = target.id === NEW_PROJECT;
  const reason = isSending
    ? 'It is being sent.'
    : (findOrderProblem(order) ?? (isNew && target.newName.trim() === '' ? 'Type a name for the project.' : null));
  const start = async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    stopper.current = stopping;
    setSending(true);
    setError(null);
    try {
      const made = isNew
        ? await takeProject(target.newName.trim(), madeProject, (name) => createProject(name, ''))
        : null;
      if (made !== null) setMadeProject(made);
      signal.throwIfAborted();
      const projectId = made?.id ?? target.id;
      const id = await startSynthetic(order, projectId, { signal });
      await refreshTrees(client);
      if (signal.aborted) return;
      updateUrl(toProject(projectId));
      selectNode({ id, type: 'dataset' }, 'data');
      onClose();
    } catch (failure) {
      // A project may have been made all the same.
      void refreshTrees(client);
      if (signal.aborted) return;
      setError(failure);
      setSending(false);
    }
  };
  return (
    <form
      id={formId}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === null) void start();
      }}
    >
      <p className="text-soft">
        A teacher model writes questions and answers, from your texts and by your rules. Look at its rows before you
        train on them: it may be wrong.
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="Name of the dataset"
          value={order.name}
          onChange={set('name')}
          maxLength={DATA_LIMITS.name}
          autoComplete="off"
          className="flex-1"
        />
        <ProjectFields target={target} />
      </div>
      <TextFiles value={order.files} onChange={set('files')} accept={isLocal ? TEXTS : undefined} />
      <TextArea
        label="Rules, one a line (may be empty)"
        value={order.rules}
        onChange={set('rules')}
        rows={3}
        placeholder={'Answer in one sentence.\nAsk as a customer would.'}
      />
      <div className="flex flex-col gap-1">
        <span aria-hidden className="text-soft">
          Teacher
        </span>
        <Select label="Teacher" isLabelHidden value={order.model} options={teachers} onChange={set('model')} />
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <NumberField
          label="Rows"
          value={order.pairs}
          onChange={set('pairs')}
          min={1}
          max={SYNTHETIC_LIMITS.pairs}
          isInteger
        />
        <NumberField label="Temperature" value={order.temperature} onChange={set('temperature')} min={0} max={1} />
      </div>
      {error !== null && <ErrorNotice title="No rows are made" {...toErrorWords(error)} />}
      <DialogFoot>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" disabledReason={reason}>
            {isSending ? 'Sending…' : 'Make the rows'}
          </Button>
        </div>
      </DialogFoot>
    </form>
  );
}

/** Asks what a teacher model shall write, and starts it: the page of the dataset shows how it goes on. */
export function MakeData({ onClose }: MakeDataProps) {
  const refusal = useReadOnlyReason();
  return (
    <Dialog title="Dataset from a teacher model" isOpen onClose={onClose}>
      {refusal !== null ? <p>{refusal}</p> : <MakeForm onClose={onClose} />}
    </Dialog>
  );
}
