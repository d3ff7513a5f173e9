import { ListX } from 'lucide-react';
import { IconButton } from '../ui/IconButton';
import { Select } from '../ui/Select';
import { Toggle } from '../ui/Toggle';
import type { Candidate } from './candidates';
import { Card } from './Card';
import { CompareGrid } from './CompareGrid';
import { toCompareTable } from './compareTable';
import { CopyMenu } from './CopyMenu';
import type { ExportInput } from './exportFormats';
import { ReasonText } from './ReasonText';
import { toCandidateName } from './training';
import type { Compare } from './useCompare';

interface CompareCardProps {
  compare: Compare;
  candidates: readonly Candidate[];
  exported: Omit<ExportInput, 'candidates'>;
}

/** The chosen candidates side by side, measured against a baseline. */
export function CompareCard({ compare, candidates, exported }: CompareCardProps) {
  const { columns, state } = compare;
  const table = toCompareTable(columns, state.baseline, state.isOnlyDifferences);
  if (!table.baseline) {
    return (
      <Card title="Compare 0">
        <p className="border-t border-line px-3 py-4 text-soft">
          Nothing is being compared. Tick the boxes below: any of the {candidates.length} candidates can stand beside any other.
        </p>
      </Card>
    );
  }
  const baseline = table.baseline;
  const options = columns.map((candidate) => ({ value: candidate.key, label: toCandidateName(candidate) }));
  const actions = (
    <>
      <Select label="Baseline" value={baseline.key} options={options} onChange={compare.onBaselineChoose} />
      <Toggle label="Only differences" value={state.isOnlyDifferences} onChange={compare.onDifferencesToggle} />
      <CopyMenu label="Copy as" input={{ ...exported, candidates: columns }} />
    </>
  );
  return (
    <Card
      title={`Compare ${columns.length}`}
      note={<IconButton label="Clear the compare" icon={<ListX aria-hidden size={15} />} onClick={compare.onClear} />}
      actions={actions}
    >
      <CompareGrid table={table} compare={compare} />
      <p className="border-t border-line px-3 py-2 text-soft">
        <span className="font-medium text-ink">Why {toCandidateName(baseline)}:</span>{' '}
        <ReasonText key={baseline.key} reason={baseline.reason_for_recommendation} subject={`the baseline ${toCandidateName(baseline)}`} />
      </p>
    </Card>
  );
}
