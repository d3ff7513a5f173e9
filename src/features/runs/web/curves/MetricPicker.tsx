import { useState } from 'react';
import type { MetricName } from '#features/runs/shared/curvesReader.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { findTerm } from '#features/runs/web/curves/curveMath/metricTerms.ts';
import { toMetricGroups } from '#features/runs/web/curves/curveMath/metrics.ts';

interface MetricPickerProps {
  names: readonly MetricName[];
  runCount: number;
  chosen: readonly string[];
  /** Empty: the usual ones. */
  onChoose: (names: readonly string[]) => void;
}

/** Which metrics are shown: by group, with a search, and what each means. */
export function MetricPicker({ names, runCount, chosen, onChoose }: MetricPickerProps) {
  const [find, setFind] = useState('');
  const groups = toMetricGroups(names, find);
  const set = new Set(chosen);
  const toggle = (name: string): void =>
    onChoose(set.has(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <section aria-label="Metrics" className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-2.5">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Find a metric"
          isLabelHidden
          placeholder="Find a metric"
          value={find}
          onChange={setFind}
          className="w-56"
        />
        <Button size="small" variant="quiet" onClick={() => onChoose([])}>
          Usual metrics
        </Button>
      </div>
      {groups.length === 0 && (
        <p className="text-soft">
          {names.length === 0 ? 'These runs have no metrics yet.' : `No metric has “${find}” in its name.`}
        </p>
      )}
      <div className="grid max-h-72 gap-x-6 gap-y-2 overflow-y-auto @2xl:grid-cols-2 @4xl:grid-cols-3">
        {groups.map(({ prefix, names: members }) => (
          <fieldset key={prefix} className="min-w-0">
            <legend className="text-sm text-soft">{prefix === '' ? 'training' : prefix.slice(0, -1)}</legend>
            {members.map(({ name, runs }) => (
              <label
                key={name}
                title={findTerm(name) ?? undefined}
                className="flex min-h-6 cursor-pointer items-center gap-2 rounded px-1 hover:bg-accent-soft"
              >
                <input
                  type="checkbox"
                  checked={set.has(name)}
                  onChange={() => toggle(name)}
                  className="size-3.5 shrink-0 accent-accent"
                />
                <span className="min-w-0 truncate font-mono text-sm">{name}</span>
                {runs < runCount && <span className="shrink-0 text-xs text-faint">{formatCounted(runs, 'run')}</span>}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
