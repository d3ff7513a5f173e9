import { Archive } from 'lucide-react';
import type { NewEvaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { readBook, useGrid } from '#features/evaluation/web/gridStore.ts';
import { toGridTitle } from '#features/evaluation/web/gridEntry.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { toEvaluationRows } from './evaluationDraft.ts';
import { toEvaluationChecks } from './checkFields.ts';
import { createEvaluation, useRecordActions } from './recordActions.ts';
import { toFrozenSettings } from './frozenSettings.ts';

/** Makes an evaluation of the grid: its rows, prompt, checks, models and settings, kept in the studio for everybody. */
export function KeepGridButton() {
  const { project } = useUrlState();
  const setup = useGrid((state) => state.setup);
  const checks = useGrid((state) => state.checks);
  const { name } = useGrid((state) => state.storedAs);
  const { start } = useRecordActions();
  const frozen = toFrozenSettings(setup.columns);
  const reason =
    project === null
      ? 'Open a project first.'
      : setup.columns.length === 0
        ? 'Choose a model in a pane of the chat first.'
        : frozen.problem;
  const keep = async (projectId: string): Promise<void> => {
    const { rows, prompt, columns, source } = readBook().setup;
    const read = toEvaluationRows(rows, prompt);
    if (read.problem !== null) return showToast(read.problem, { tone: 'error', kind: 'evaluation' });
    const facts = { rows: rows.length, columns: columns.map(({ label }) => label), source: source ?? '' };
    const body: NewEvaluation = {
      project_id: projectId,
      name: toGridTitle({ ...facts, name, isReadable: true }).slice(0, 200),
      source: { kind: 'rows', ...(source !== undefined && { name: source.slice(0, 200) }) },
      rows: read.rows,
      prompt: rows.some(({ messages }) => messages === null) ? prompt : null,
      system: frozen.system,
      checks: [...toEvaluationChecks(checks)],
      settings: frozen.settings,
      models: [...new Set(columns.map(({ request }) => request.model))],
    };
    const made = await createEvaluation(body);
    start(made);
    selectNode({ id: projectId, type: 'project' }, 'evaluations');
    return updateUrl({ evaluation: made.id, run: null, answers: null });
  };
  return (
    <ChangeButton
      size="small"
      disabledReason={reason}
      onClick={() =>
        project !== null &&
        void keep(project).catch((error: unknown) =>
          showToast(`The evaluation was not made. ${error instanceof Error ? error.message : String(error)}`, {
            tone: 'error',
            kind: 'evaluation',
          }),
        )
      }
    >
      <Archive aria-hidden size={13} /> Keep as evaluation
    </ChangeButton>
  );
}
