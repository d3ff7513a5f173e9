// The first screen says where the errors of the best run are, and leads to these rows.
import { ask } from './askStudio.ts';
import { expect, test, watchPage } from './fixtures.ts';
import { toProjectFile, type Line } from './projectFile.ts';
import { startStudio } from './startStudio.ts';
import { expectAccessible } from './steps.ts';

interface FileRow {
  text: string;
  readonly bucket?: string;
}

interface Chat {
  readonly messages: { content: string }[];
}

const LABEL = 'account';
const CONTRADICTING = 50;

/**
 * Makes the best run of the tickets wrong in nine of its rows with a label, and gives the questions of fifty training rows with
 * this label to others.
 */
function openChange(): (line: Line) => void {
  let dataset: unknown = null;
  const snapshots = new Set<unknown>();
  const jobs = new Set<unknown>();
  let marks = '';
  let wrong = 0;
  let given = 0;
  const questions: string[] = [];
  const changeRow = (row: FileRow): void => {
    const chat = JSON.parse(row.text) as Chat;
    const [, question, answer] = chat.messages;
    if (!question || !answer) return;
    const hasLabel = answer.content.includes(`"category":"${LABEL}"`);
    if (row.bucket === 'validation') {
      const isWrong = hasLabel && wrong < 9;
      if (isWrong) wrong += 1;
      marks += isWrong ? '0' : '1';
      return;
    }
    if (hasLabel && questions.length < CONTRADICTING) questions.push(question.content);
    else if (!hasLabel && questions.length === CONTRADICTING) {
      question.content = questions[given] ?? question.content;
      given += 1;
    }
    row.text = JSON.stringify(chat);
  };
  return (line) => {
    if (line['kind'] === 'dataset' && line['label'] === 'Ticket triage') dataset = line['id'];
    if (line['kind'] === 'rows' && line['dataset_id'] === dataset) (line['rows'] as FileRow[]).forEach(changeRow);
    if (line['kind'] === 'snapshot' && line['dataset_id'] === dataset) snapshots.add(line['id']);
    if (line['kind'] === 'job' && snapshots.has(line['snapshot_id'])) jobs.add(line['id']);
    if (line['kind'] !== 'experiment' || !jobs.has(line['job_id']) || line['experiment_number'] !== 2) return;
    line['settings'] = { ...(line['settings'] as object), right_rows: marks };
  };
}

test('most errors of the best run have one label: the overview says so, and shows these rows', async ({ page }) => {
  const studio = await startStudio();
  const watch = watchPage(page, studio.origin);
  const form = new FormData();
  form.set('ids', 'new');
  form.set('file', new Blob([(await toProjectFile(studio, openChange())).toString()]), 'desk.project.jsonl');
  const { project_id } = await ask<{ project_id: string }>(studio, '/api/v1/studio/projects/import', form);
  await page.goto(`${studio.link}&project=${project_id}`);

  const best = page.getByRole('region', { name: 'Best of each dataset' });
  await expect(best).toContainText(
    /All 9 errors are in the \d+ validation rows with category “account”; 5\d of the [\d,]+ training rows like that contradict others\./,
  );
  await expectAccessible(best);

  await test.step('the wrong validation rows, by keyboard; a reload keeps them', async () => {
    await best.getByRole('link', { name: 'Look at these rows' }).press('Enter');
    const rows = page.getByRole('region', { name: 'Rows', exact: true });
    await expect(rows).toContainText('9 rows of 20,200: those of the link');
    await page.reload();
    await expect(rows).toContainText('9 rows of 20,200: those of the link');
    await expect(rows.getByText(`"category":"${LABEL}"`).first()).toBeVisible();
    await rows.getByRole('button', { name: 'Show all' }).click();
    await expect(rows).toContainText('20,200 rows');
    expect(new URL(page.url()).searchParams.has('rows')).toBe(false);
  });

  await test.step('the training rows that contradict others', async () => {
    await page.goto(`${studio.origin}/?project=${project_id}`);
    await best.getByRole('link', { name: 'Look at the contradictions' }).click();
    await expect(page.getByRole('region', { name: 'Rows', exact: true })).toContainText(
      /5\d rows of 20,200: those of the link/,
    );
  });
  expect(watch.faults).toEqual([]);
  await studio.stop();
});
