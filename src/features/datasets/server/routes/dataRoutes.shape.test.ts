import { expect, it } from 'vitest';
import { datasetSchema } from '#features/datasets/shared/contract/datasets.ts';
import { chat, openDataService } from './dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

it('a dataset has its snapshots, and when it changed, as the SDK of the hosted studio reads it', async () => {
  const desk = await keep(openDataService());
  const own = await desk.dataset(Array.from({ length: 12 }, (_, at) => chat(`Typed ${at}?`)));
  const first = await desk.service.getJson(`/api/v1/public/datasets/${own}`);
  expect(first).toMatchObject({ labels: [], snapshots: [], updated_at: first['created_at'] });
  const messages = [
    { role: 'user', content: 'New?' },
    { role: 'assistant', content: 'Yes.' },
  ];
  const at = (hour: number): string => `2026-11-23T${hour}:00:00.000Z`;
  desk.setNow(new Date(at(11)));
  expect(
    (
      await desk.service.post(`/api/v1/datasets/${own}/addDatapoint`, {
        messages,
        bucket: 'uncategorized',
      })
    ).status,
  ).toBe(200);
  expect(await desk.service.getJson(`/api/v1/public/datasets/${own}`)).toMatchObject({
    updated_at: at(11),
  });
  desk.setNow(new Date(at(12)));
  await desk.service.post(`/api/v1/studio/datasets/${own}/marks`, {
    change: 'tag',
    positions: [0],
    tag: 'odd',
    is_tagged: true,
  });
  expect(await desk.service.getJson(`/api/v1/public/datasets/${own}`)).toMatchObject({
    updated_at: at(12),
  });
  desk.setNow(new Date(at(13)));
  const made = await desk.service.post('/api/v1/public/snapshots/create', { dataset_id: own });
  const { snapshot_id: snapshot } = made.json() as { snapshot_id: string };
  desk.setNow(new Date(at(10)));
  const whole = await desk.service.getJson(`/api/v1/public/datasets/${own}`);
  expect(whole).toMatchObject({ updated_at: at(13), snapshots: [{ id: snapshot, created_at: at(13) }] });
  expect(datasetSchema.safeParse(whole).success).toBe(true);
});
