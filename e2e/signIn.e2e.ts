// Signing in without the printed link, and what an unsigned visitor gets.
import { expect, test, watchPage } from './fixtures';

test('asks for the token, refuses a wrong one, takes the right one', async ({ page, studio }) => {
  const watch = watchPage(page, studio.origin);
  await page.goto(`${studio.origin}/`);
  const field = page.getByLabel(/token/i).first();
  await field.fill('wrong');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText(/token/i);
  await field.fill(studio.token);
  await field.press('Enter');
  await expect(page.getByRole('tree', { name: 'Project tree' })).toBeVisible();
  await expect.poll(() => page.url()).not.toContain(studio.token);
  expect(watch.faults).toEqual([]);
});

test('a link with a wrong token says so', async ({ page, studio }) => {
  await page.goto(`${studio.origin}/?token=wrong`);
  await expect(page.getByText(/not accepted|rejected|wrong/i).first()).toBeVisible();
  await expect.poll(() => page.url()).not.toContain('wrong');
});

test('the API needs the token; another host name is refused everywhere', async ({ studio, request }) => {
  const projects = `${studio.origin}/api/v1/public/projects`;
  expect((await request.get(projects)).status()).toBe(401);
  expect((await request.get(projects, { headers: { Authorization: 'Bearer nope' } })).status()).toBe(401);
  expect((await request.get(projects, { headers: { Authorization: `Bearer ${studio.token}` } })).status()).toBe(200);
  for (const path of ['/', '/healthz', '/api/v1/models', '/favicon.svg', '/nothing']) {
    expect((await request.get(`${studio.origin}${path}`, { headers: { Host: 'evil.example' } })).status()).toBe(403);
  }
});
