import { useState } from 'react';
import type { RunGrouping, RunRoot } from '#features/runs/shared/runs.ts';
import { groupRunRoot } from '#features/runs/web/api/runQueries.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { findGroupingProblem, toGroupingText } from './rootWords.ts';

interface GroupingFormProps {
  root: RunRoot;
  onDone: () => void;
}

const WAYS: readonly { readonly value: RunGrouping['by']; readonly label: string }[] = [
  { value: 'folder', label: 'parent folder' },
  { value: 'pattern', label: 'part of the path' },
  { value: 'parameter', label: 'a setting' },
];

const isSame = (a: RunGrouping, b: RunGrouping): boolean => JSON.stringify(a) === JSON.stringify(b);

/** How the runs of a folder become jobs, with the effect in words before it is applied. */
export function GroupingForm({ root, onDone }: GroupingFormProps) {
  const [by, setBy] = useState(root.grouping.by);
  const [pattern, setPattern] = useState(root.grouping.by === 'pattern' ? root.grouping.pattern : '');
  const [parameter, setParameter] = useState(root.grouping.by === 'parameter' ? root.grouping.parameter : '');
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const grouping: RunGrouping =
    by === 'pattern' ? { by, pattern } : by === 'parameter' ? { by, parameter } : { by: 'folder' };
  const readOnlyReason = useReadOnlyReason();
  const problem = readOnlyReason ?? findGroupingProblem(grouping);
  const isChanged = !isSame(grouping, root.grouping);
  const apply = async () => {
    setSending(true);
    setError(null);
    try {
      await groupRunRoot(root.id, grouping);
      onDone();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'The studio did not answer.');
    } finally {
      setSending(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null && isChanged) void apply();
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Select
          label="Jobs by"
          value={by}
          options={WAYS}
          onChange={(value) => setBy(WAYS.find((way) => way.value === value)?.value ?? 'folder')}
        />
        {by === 'pattern' && (
          <TextField
            label="Part of the path"
            isLabelHidden
            placeholder="(lr[^/-]+)"
            value={pattern}
            onChange={setPattern}
          />
        )}
        {by === 'parameter' && (
          <TextField
            label="Setting"
            isLabelHidden
            placeholder="learning_rate"
            value={parameter}
            onChange={setParameter}
          />
        )}
        {isChanged && (
          <Button type="submit" disabledReason={isSending ? 'It is being applied.' : problem}>
            Apply
          </Button>
        )}
      </div>
      <p className="text-sm text-soft">{problem ?? toGroupingText(grouping)}</p>
      {error !== null && (
        <p role="alert" className="text-error">
          {error}
        </p>
      )}
    </form>
  );
}
