// Builds the dashboard and the service once, before workers start studios of their own side by side.
import { findBuiltService } from './builtService.ts';
import { startStudio } from './startStudio.ts';

/**
 * A gateway builds it too, and needs neither database nor model. Nobody asks the address. From the sources: the process
 * that builds is one of TypeScript, which the built service can't start.
 */
const GATEWAY = {
  form: 'sources',
  args: ['--base-url', 'http://127.0.0.1:9'],
  env: { STUDIO_API_KEY: 'none' },
} as const;

export default async function globalSetup(): Promise<void> {
  const studio = await startStudio({ ...GATEWAY, seconds: 120 });
  await studio.stop();
  // Each worker would build it, within the time of its first test.
  await findBuiltService();
}
