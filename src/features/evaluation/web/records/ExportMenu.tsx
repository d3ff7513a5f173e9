import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { Menu } from '#ui/lazy/Menu.tsx';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { downloadFrom } from '#ui/kit/download.ts';
import { HeldOutDialog } from './HeldOutDialog.tsx';
import { ROWS_KINDS, useRowsDataset } from './useRowsDataset.ts';

const FILES = [
  { form: 'html', label: 'HTML, to read' },
  { form: 'jsonl', label: 'JSON lines, which a studio imports' },
] as const;

interface ExportMenuProps {
  evaluation: Evaluation;
  run: EvaluationRun;
}

/** A run with all its answers as a file, and what passed and failed as a dataset to train with. */
export function ExportMenu({ evaluation, run }: ExportMenuProps) {
  const readOnly = useReadOnlyReason();
  const { onMake, question } = useRowsDataset(evaluation, run.id);
  const files = FILES.map(({ form, label }) => ({
    label,
    onSelect: () =>
      downloadFrom(
        `/api/v1/studio/evaluation-runs/${run.id}/export?form=${form}`,
        `${evaluation.name}-run-${run.number}.${form}`,
      ),
  }));
  const datasets = (['dpo', 'kto'] as const).map((form, at) => ({
    label: `${ROWS_KINDS[form].label} as a dataset`,
    isApart: at === 0,
    disabledReason: readOnly,
    onSelect: () => onMake(form),
  }));
  return (
    <>
      <Menu label="Export" items={[...files, ...datasets]} />
      {question && <HeldOutDialog {...question} />}
    </>
  );
}
