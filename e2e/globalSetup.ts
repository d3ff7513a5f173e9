// Builds the dashboard and the service once, before workers start studios of their own side by side.
import { findBuiltService } from './builtService.ts';
import { buildDashboard } from './startStudio.ts';

export default async function globalSetup(): Promise<void> {
  // Unit tests that run beside these wait for the same build.
  await buildDashboard();
  // Each worker would build it, within the time of its first test.
  await findBuiltService();
}
