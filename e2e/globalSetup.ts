// Builds the dashboard once, before workers start studios of their own side by side.
import { startStudio } from './startStudio.ts';

export default async function globalSetup(): Promise<void> {
  const studio = await startStudio({ args: ['--no-sample'], seconds: 120 });
  await studio.stop();
}
