import { formatBytes } from '#core/contract/numberNotation.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { parseObjects, type Column } from '#features/datasets/shared/recogniseForm.ts';
import { findOwnNames, withRoles } from '#features/datasets/shared/roleNames.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { projectsQuery } from '#ui/client/queries.ts';
import { runRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { FirstRows } from './FirstRows.tsx';
import { readFirstLines, type FirstLines } from './firstLines.ts';
import { startImport } from './importing.ts';
import {
  findMappingLack,
  changeMapping,
  changeRole,
  ROLE_OPTIONS,
  roleOf,
  ROLES_HINT,
  toMappingFields,
  toMappingHint,
} from './mappingFields.ts';
import { recogniseLines, toDatasetName, toFormText, toPreview } from './preview.ts';
import type { OtherFile } from '#core/rows/fileEncoding.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';

interface OtherFileNoticeProps {
  fileName: string;
  refusal: OtherFile;
  /** Goes back to the choice of a file. */
  onOther: () => void;
}

/** What a file is that rows can’t be read from, and the command that makes one of it. */
function OtherFileNotice({ fileName, refusal: { reason, toCommand }, onOther }: OtherFileNoticeProps) {
  const command = toCommand?.(fileName) ?? null;
  return (
    <ErrorNotice
      title={`${fileName} can’t be imported`}
      detail={reason}
      hint={
        command !== null && (
          <>
            <p>For example, in a terminal:</p>
            <div className="flex items-start gap-1.5">
              <code className="min-w-0 flex-1 rounded-md bg-surface px-2 py-1 font-mono text-sm break-words text-ink">
                {command}
              </code>
              <CopyButton label="Copy the command" text={command} />
            </div>
          </>
        )
      }
      onRetry={onOther}
      retryLabel="Choose another file"
    />
  );
}

interface MappingFormProps {
  /** null: the form is known, and only the names of roles are not. */
  columns: readonly Column[] | null;
  /** Names of roles that are not known. */
  roleNames: readonly string[];
  value: RowMapping | null;
  onChange: (mapping: RowMapping | null) => void;
}

/** Says which columns of a file hold what, and what its roles mean. The first rows below show what comes of it. */
function MappingForm({ columns, roleNames, value, onChange }: MappingFormProps) {
  const fields = columns === null ? [] : toMappingFields(value, columns);
  return (
    <fieldset className="flex flex-col gap-1.5 rounded-lg border border-line p-3 [--label-width:9rem]">
      <legend className="px-1 font-medium">{columns === null ? 'Roles' : 'Fields'}</legend>
      <p className="text-soft">{columns === null ? ROLES_HINT : toMappingHint(value)}</p>
      {fields.map(({ name, label, chosen, options }) => (
        <Select
          key={name}
          label={label}
          value={chosen}
          options={options}
          onChange={(next) => onChange(changeMapping(value, name, next))}
          isWide
        />
      ))}
      {roleNames.map((name) => (
        <Select
          key={`role ${name}`}
          label={`Role “${name.slice(0, 40)}”`}
          value={roleOf(value, name) ?? ''}
          options={ROLE_OPTIONS}
          onChange={(next) => onChange(changeRole(value, name, next))}
          isWide
        />
      ))}
    </fieldset>
  );
}

const NEW_PROJECT = { value: '', label: 'a new project…' };

/** At the lower edge of the dialog, over its padding. */
const FOOT = { bottom: '-1rem', margin: '0 -1rem -1rem' };

interface FileLookProps {
  file: File;
  /** Goes back to the choice of a file. */
  onOther: () => void;
}

/** The projects that a dataset can be added to: folders of runs are only read. */
function useProjects() {
  const { data: projects } = useQuery(projectsQuery());
  const { data: roots } = useQuery({ ...runRootsQuery(), refetchInterval: false });
  return useMemo(
    () => (projects ?? []).filter(({ id }) => !(roots ?? []).some((root) => root.id === id)),
    [projects, roots],
  );
}

/** What a file is and what its first rows become; asks for name and project, and starts the import. */
export function FileLook({ file, onOther }: FileLookProps) {
  const client = useQueryClient();
  const opened = useUrlState().project;
  const projects = useProjects();
  const [first, setFirst] = useState<FirstLines | null>(null);
  const [readError, setReadError] = useState<Error | null>(null);
  const [name, setName] = useState(() => toDatasetName(file.name));
  const [chosen, setChosen] = useState<string | null>(null);
  const [projectName, setProjectName] = useState(() => toDatasetName(file.name));
  const [isPreferred, setPreferred] = useState(false);
  const [ownMapping, setMapping] = useState<RowMapping | null>(null);
  useEffect(() => {
    let isWanted = true;
    readFirstLines(file).then(
      (lines) => isWanted && setFirst(lines),
      (error: unknown) => isWanted && setReadError(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  const guess = useMemo(() => (first ? recogniseLines(first) : null), [first]);
  const rows = useMemo(() => parseObjects(first?.lines.map(({ text }) => text) ?? []), [first]);
  const isMapped = guess !== null && guess.objects > 0 && (guess.form === null || guess.mapping !== null);
  const asked = isMapped ? (ownMapping ?? guess.mapping) : null;
  const mapping = useMemo(() => withRoles(rows, asked), [rows, asked]);
  const lack = isMapped ? findMappingLack(mapping) : null;
  const isComparison = guess?.form === 'preference' || guess?.form === 'kto';
  const known = isComparison && isPreferred ? 'preferred' : guess?.form;
  // The service reads a file of no objects as chat rows too: each line says what is wrong with it.
  const form = isMapped ? (lack === null ? mapping : null) : (known ?? 'chat');
  const preview = useMemo(() => (first ? toPreview(first, form) : null), [first, form]);

  const other = <Button onClick={onOther}>Choose another file</Button>;
  if (readError)
    return (
      <ErrorNotice
        title={`${file.name} can’t be read`}
        detail={readError.message}
        hint="Check that it is a file, not a folder, and that it is still where it was. Then choose it again."
        onRetry={onOther}
        retryLabel="Choose another file"
      />
    );
  if (!first || !guess || !preview) return <Skeleton rows={6} />;
  if (first.refusal !== null) return <OtherFileNotice fileName={file.name} refusal={first.refusal} onOther={onOther} />;
  const fallback = projects.find(({ id }) => id === opened)?.id ?? projects[0]?.id ?? NEW_PROJECT.value;
  const projectId = chosen ?? fallback;
  const isNew = projectId === NEW_PROJECT.value;
  const isEmpty = preview.rows.length === 0 && lack === null;
  const reason =
    lack ??
    (isEmpty ? `None of the first ${preview.unit}s can be read as a row.` : null) ??
    (name.trim() === '' ? 'Type a name for the dataset.' : null) ??
    (isNew && projectName.trim() === '' ? 'Type a name for the project.' : null);
  const hasBad = preview.problems.length > 0;
  const start = (isSkipping: boolean) => {
    if (reason !== null) return;
    const request = {
      file,
      unit: preview.unit,
      name: name.trim(),
      projectId: isNew ? null : projectId,
      projectName: projectName.trim(),
      mapping: mapping === null ? null : JSON.stringify(mapping),
      form: form === 'preferred' ? form : null,
    };
    void startImport(client, request, isSkipping);
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        start(hasBad);
      }}
    >
      <p>
        <span className="font-medium break-all">{file.name}</span>{' '}
        <span className="text-soft">
          {formatBytes(file.size)} · {toFormText(guess, preview)}
        </span>
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="Name of the dataset"
          value={name}
          onChange={setName}
          maxLength={DATA_LIMITS.name}
          autoComplete="off"
          className="flex-1"
        />
        <div className="flex flex-col gap-1">
          <span aria-hidden className="text-soft">
            Project
          </span>
          <Select
            label="Project"
            isLabelHidden
            value={projectId}
            options={[...projects.map(({ id, name: label }) => ({ value: id, label })), NEW_PROJECT]}
            onChange={setChosen}
          />
        </div>
        {isNew && (
          <TextField
            label="Name of the new project"
            value={projectName}
            onChange={setProjectName}
            maxLength={DATA_LIMITS.name}
            autoComplete="off"
            className="flex-1"
          />
        )}
      </div>
      {isMapped && (
        <MappingForm
          columns={guess.form === null ? guess.columns : null}
          roleNames={findOwnNames(rows, mapping)}
          value={mapping}
          onChange={setMapping}
        />
      )}
      {isComparison && (
        <Select
          label="Import"
          value={isPreferred ? 'preferred' : 'both'}
          options={[
            { value: 'both', label: 'all answers, for DPO or KTO' },
            { value: 'preferred', label: 'preferred answers alone' },
          ]}
          onChange={(value) => setPreferred(value === 'preferred')}
        />
      )}
      <FirstRows preview={preview} fileName={file.name} />
      <div style={FOOT} className="sticky flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-4 py-3">
        {other}
        {hasBad && (
          <Button disabledReason={reason} onClick={() => start(false)}>
            Only list all bad {preview.unit}s
          </Button>
        )}
        <Button type="submit" variant="primary" disabledReason={reason}>
          {hasBad ? `Import without bad ${preview.unit}s` : 'Import the file'}
        </Button>
      </div>
    </form>
  );
}
