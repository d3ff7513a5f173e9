import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Run } from '#features/runs/shared/runs.ts';
import { runQuery } from '#features/runs/web/api/runQueries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { findSettings, toFactText, toSettingRows, toSourceText } from './factText.ts';
import type { OtherRun } from './otherRun.ts';

interface SettingsListProps {
  run: Run;
  /** Runs that it can be compared with. */
  others: readonly OtherRun[];
  isSourced: boolean;
}

const SHOWN = 40;

/** All settings as the trainer wrote them, with a search, or only those that differ from another run. */
export function SettingsList({ run, others, isSourced }: SettingsListProps) {
  const [typed, setTyped] = useState('');
  const find = useDeferredValue(typed);
  const [otherId, setOther] = useState('');
  const [isAll, setAll] = useState(false);
  const { data: other, error } = useQuery(runQuery(otherId));
  const isBeside = otherId !== '' && other !== undefined && other !== null;
  const rows = useMemo(
    () => toSettingRows(run.parameters, isBeside ? other.parameters : null),
    [run.parameters, isBeside, other],
  );
  const found = useMemo(
    () =>
      findSettings(
        rows.filter(({ isDifferent }) => !isBeside || isDifferent),
        find,
      ),
    [rows, isBeside, find],
  );
  if (run.parameters.length === 0)
    return <p className="text-soft">The trainer saved no settings here, or none that can be read safely.</p>;
  const shown = isAll || find !== '' ? found : found.slice(0, SHOWN);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <TextField
          label="Find a setting"
          isLabelHidden
          placeholder="Find a setting"
          value={typed}
          onChange={setTyped}
          className="w-56"
        />
        {others.length > 0 && (
          <Select
            label="Only what differs from"
            value={otherId}
            options={[{ value: '', label: 'no run' }, ...others.map(({ id, label }) => ({ value: id, label }))]}
            onChange={setOther}
          />
        )}
        <output className="text-sm text-soft">
          {isBeside
            ? `${formatCount(found.length)} of ${formatCount(rows.length)} differ`
            : find === ''
              ? formatCounted(rows.length, 'setting')
              : `${formatCount(found.length)} found`}
        </output>
      </div>
      {error !== null && otherId !== '' && <p className="text-error">The other run can’t be read: {error.message}</p>}
      {found.length === 0 && (
        <p className="text-soft">{isBeside && find === '' ? 'All settings are equal.' : 'No setting matches.'}</p>
      )}
      {shown.length > 0 && (
        <SimpleTable
          heads={[
            'Setting',
            isBeside ? run.label : 'Value',
            ...(isBeside ? [other.label] : []),
            ...(isSourced ? ['From'] : []),
          ]}
        >
          {shown.map(({ name, fact, other: beside }) => (
            <tr key={name} className="align-top font-mono text-sm">
              <th scope="row" className="py-0.5 pr-4 font-normal [overflow-wrap:anywhere] text-soft">
                {name}
              </th>
              <td className="py-0.5 pr-4 [overflow-wrap:anywhere]">
                {fact === null ? <span className="text-faint">not set</span> : toFactText(fact.value)}
                {fact?.others?.map(({ value, source }) => (
                  <span key={toSourceText(source)} className="block font-sans">
                    <span className="text-warning">but </span>
                    <span className="font-mono">{toFactText(value)}</span>
                    <span className="text-soft"> from {toSourceText(source)}</span>
                  </span>
                ))}
              </td>
              {isBeside && (
                <td className="py-0.5 pr-4 [overflow-wrap:anywhere]">
                  {beside === null ? <span className="text-faint">not set</span> : toFactText(beside.value)}
                </td>
              )}
              {isSourced && (
                <td className="py-0.5 font-sans [overflow-wrap:anywhere] text-soft">
                  {fact ? toSourceText(fact.source) : ''}
                </td>
              )}
            </tr>
          ))}
        </SimpleTable>
      )}
      {shown.length < found.length && (
        <span>
          <Button size="small" variant="quiet" onClick={() => setAll(true)}>
            Show {formatCount(found.length - shown.length)} more
          </Button>
        </span>
      )}
    </div>
  );
}
