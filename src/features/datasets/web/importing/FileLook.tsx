import { formatBytes } from '#core/contract/numberNotation.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { ProjectFields } from './ProjectFields.tsx';
import { NEW_PROJECT, useTargetProject } from './targetProject.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { FirstRows } from './FirstRows.tsx';
import { readFirstLines, type FirstLines } from './firstLines.ts';
import { startImport } from './importing.ts';
import {
  changeMapping,
  changeRole,
  ROLE_OPTIONS,
  roleOf,
  ROLES_HINT,
  toMappingFields,
  toMappingHint,
} from './mappingFields.ts';
import { toDatasetName, toFormText, toOthersText } from './preview.ts';
import { toReading, type Reading, type ReadingChoice } from './reading.ts';
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
  fields: NonNullable<Reading['fields']>;
  value: RowMapping | null;
  onChange: (mapping: RowMapping | null) => void;
}

/** Says which columns of a file hold what, and what its roles mean. The first rows below show what comes of it. */
function MappingForm({ fields: { columns, roleNames }, value, onChange }: MappingFormProps) {
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

/** At the lower edge of the dialog, over its padding. */
const FOOT = { bottom: '-1rem', margin: '0 -1rem -1rem' };

interface ImportFormProps extends FileLookProps {
  first: FirstLines;
}

/** What the first rows of a file become; asks for name and project, and starts the import. */
function ImportForm({ file, first, onOther }: ImportFormProps) {
  const client = useQueryClient();
  const [name, setName] = useState(() => toDatasetName(file.name));
  const target = useTargetProject(toDatasetName(file.name));
  const [choice, setChoice] = useState<ReadingChoice>({ mapping: null, isPreferred: false, isMixed: false });
  const reading = useMemo(() => toReading(first, choice), [first, choice]);
  const { guess, fields, mapping, isComparison, isPreferred, others, canMix, isMixed, preview } = reading;
  const isNew = target.id === NEW_PROJECT;
  const reason =
    reading.lack ??
    (name.trim() === '' ? 'Type a name for the dataset.' : null) ??
    (isNew && target.newName.trim() === '' ? 'Type a name for the project.' : null);
  const hasBad = preview.problems.length > 0;
  const start = (isSkipping: boolean) => {
    if (reason !== null) return;
    const request = {
      file,
      unit: preview.unit,
      name: name.trim(),
      projectId: isNew ? null : target.id,
      projectName: target.newName.trim(),
      mapping: mapping === null ? null : JSON.stringify(mapping),
      form: isPreferred ? ('preferred' as const) : isMixed ? ('mixed' as const) : null,
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
        <ProjectFields target={target} />
      </div>
      {fields && (
        <MappingForm fields={fields} value={mapping} onChange={(next) => setChoice({ ...choice, mapping: next })} />
      )}
      {isComparison && (
        <Select
          label="Import"
          value={isPreferred ? 'preferred' : 'both'}
          options={[
            { value: 'both', label: 'all answers, for DPO or KTO' },
            { value: 'preferred', label: 'preferred answers alone' },
          ]}
          onChange={(value) => setChoice({ ...choice, isPreferred: value === 'preferred' })}
        />
      )}
      {canMix && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            {others.length > 0
              ? `Among the first ${preview.unit}s are also ${toOthersText(others)}.`
              : `Rows of other forms may follow the first ${first.lines.length} ${preview.unit}s.`}
          </span>
          <Toggle
            label="Convert them too"
            value={isMixed}
            onChange={(next) => setChoice({ ...choice, isMixed: next })}
          />
        </div>
      )}
      <FirstRows preview={preview} fileName={file.name} />
      <div style={FOOT} className="sticky flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-4 py-3">
        <Button onClick={onOther}>Choose another file</Button>
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

interface FileLookProps {
  file: File;
  /** Goes back to the choice of a file. */
  onOther: () => void;
}

/** What a file is: its rows and their import, or why there are none. */
export function FileLook({ file, onOther }: FileLookProps) {
  const [first, setFirst] = useState<FirstLines | null>(null);
  const [readError, setReadError] = useState<Error | null>(null);
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
  if (!first) return <Skeleton rows={6} />;
  if (first.refusal !== null) return <OtherFileNotice fileName={file.name} refusal={first.refusal} onOther={onOther} />;
  return <ImportForm file={file} first={first} onOther={onOther} />;
}
