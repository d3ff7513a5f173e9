// A project as a file on the embedded database, which has a way of its own to store rows. All else of the routes is tested
// on a real PostgreSQL where there is one (vitest.config.ts).
import { expect, it } from 'vitest';
import { openTransfer } from '#features/project-files/server/transfer.ts';
import { NO_OTHERS, openTransferService, toComparable, toLines } from './transferService.fixture.ts';

it('a project leaves and comes back the same; what a kill left of an import is hidden, and then removed', async () => {
  const desk = await openTransferService({ sample: true });
  const { studio, transfer, dataDir } = desk;
  const id = (await studio.listProjects())[0]?.id ?? '';
  const download = async (): Promise<Buffer> =>
    (await desk.service.askSigned(`/api/v1/studio/projects/${id}/export`)).body;
  const first = await download();
  await desk.sql('delete from studio.projects');
  const empty = await desk.countAll();
  const running = transfer.startImport({ ids: 'keep', hasModels: false, isOwner: true, seed: null });
  const text = toLines(first).flatMap((line) => (line.kind === 'end' ? [] : `${JSON.stringify(line)}\n`));
  await running.write(Buffer.from(text.join('')));
  await expect.poll(async () => (await desk.countAll())['row_blocks'], { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await studio.listProjects()).toEqual([]);
  const { database } = studio;
  // Another process that opens the folder of the killed one.
  await (await openTransfer({ ...NO_OTHERS, database, dataDir })).close();
  await running.cancel();
  expect(await desk.countAll()).toEqual(empty);
  expect((await desk.upload(first)).json()).toMatchObject({ project_id: id, counts: { datasets: 4, rows: 1280 } });
  expect(toComparable(toLines(await download()))).toEqual(toComparable(toLines(first)));
  await desk.close();
}, 60_000);
