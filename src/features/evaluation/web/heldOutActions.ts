// Fills a grid with the validation rows of a snapshot, and with the check that fits their expected answers.
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { suggestChecks } from '#features/evaluation/shared/suggestChecks.ts';
import { countAnswers } from '#features/evaluation/web/grid/gridBook.ts';
import { replaceRows } from '#features/evaluation/web/grid/gridSetup.ts';
import { toRowsText } from '#features/evaluation/web/grid/gridWords.ts';
import { showToast } from '#ui/kit/toast.ts';
import { changeSetup, isRunning, setChecks } from './gridActions.ts';
import { newGrid, NO_DATABASE, RUNNING } from './gridList.ts';
import { readBook, useGrid } from './gridStore.ts';

const isSame = (a: readonly CheckSpec[], b: readonly CheckSpec[]): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The check that fits the rows, as a list. */
const toChecks = (rows: readonly PromptRow[]): readonly CheckSpec[] => {
  const { check } = suggestChecks(rows);
  return check === null ? [] : [check];
};

/**
 * Puts rows with a source into the grid. If it has answers, a new grid takes the rows, so no answer is lost. A person's
 * own checks stay, also in a new grid. Resolves to the reason why the rows were not taken, or null.
 */
export async function takeHeldOutRows(source: string, rows: readonly PromptRow[]): Promise<string | null> {
  if (isRunning()) return RUNNING;
  const { checks, setup: before } = useGrid.getState();
  const isOwnChoice = checks.length > 0 && !isSame(checks, toChecks(before.rows));
  const isNew = countAnswers(readBook().counts) > 0;
  const problem = isNew ? await newGrid() : null;
  if (problem === NO_DATABASE) return `${problem} Export the answers and clear them first.`;
  if (problem !== null) return problem;
  // A run may have begun while the last grid was stored.
  if (isRunning()) return RUNNING;
  const { setup } = useGrid.getState();
  const removed = setup.rows.length;
  const { sampling: _sampling, ...rest } = setup;
  changeSetup(
    { ...replaceRows(rest, rows), source, isEvaluation: true },
    removed > 0 ? `${toRowsText(removed)} replaced` : null,
  );
  setChecks(isOwnChoice ? checks : toChecks(rows));
  if (isNew) showToast('The rows are in a new grid. The one before is kept under Grids.');
  return null;
}
