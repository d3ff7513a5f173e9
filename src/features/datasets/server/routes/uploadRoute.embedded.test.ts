// An upload on the embedded database, which has a way of its own to store rows. All else of the route is tested on a real
// PostgreSQL where there is one (vitest.config.ts).
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { chat, expectNothingLeft, file, openDataService, toFields } from './dataService.fixture.ts';

it('a file becomes a dataset, but for its bad lines, and a refused one leaves nothing', async () => {
  const desk = await openDataService();
  const rows = Array.from({ length: 600 }, (_, at) => chat(`Question ${at}?`));
  const lines = [...rows.slice(0, 300), '{"messages":', ...rows.slice(300), '7'];
  const refused = await desk.upload([...(await toFields(desk)), file(lines.join('\n'))]);
  expect([refused.status, refused.json()]).toMatchObject([400, { error: { param: 'file' } }]);
  await expectNothingLeft(desk);
  const id = await desk.dataset(lines, [{ name: 'bad_lines', value: 'skip' }]);
  expect(await desk.service.getJson(`/api/v1/public/datasets/${id}`)).toMatchObject({
    datapoints_count: 600,
    bad_lines: { count: 2 },
  });
  const page = await desk.service.getJson(`/api/v1/studio/datasets/${id}/table?from=598`);
  expect(page).toMatchObject({ total: 600, rows: [{ question: 'Question 598?' }, { question: 'Question 599?' }] });
  expect((await desk.service.askSigned(`/api/v1/studio/datasets/${id}/bad-lines`)).text).toContain('301');
  await desk.close();
}, 60_000);

it('the space of a refused file is free again when its answer comes', async () => {
  const desk = await openDataService();
  const measure = async (): Promise<number> => {
    const [found] = await desk.sql("select pg_total_relation_size('studio.row_blocks')::integer as bytes");
    return (found as { bytes: number }).bytes;
  };
  const rows = Array.from({ length: 40_000 }, (_, at) => chat(`${at} ${randomBytes(150).toString('base64')}`));
  const kept = await desk.dataset(rows.slice(0, 1000));
  const before = await measure();
  const refused = await desk.upload([...(await toFields(desk)), file([...rows, 'no row'].join('\n'))]);
  expect(refused.status).toBe(400);
  expect((await measure()) - before).toBeLessThan(1024 * 1024);
  expect(await desk.service.getJson(`/api/v1/public/datasets/${kept}`)).toMatchObject({
    datapoints_count: 1000,
  });
  await desk.close();
}, 60_000);
