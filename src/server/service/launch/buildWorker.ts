// Builds the dashboard into the folder given as the only argument. It runs as a separate process (build.ts), whose end
// frees the bundler's memory and threads.
import { build } from 'vite';
import { compressFolder } from '#server/service/compress.ts';
import { PROJECT_ROOT } from './projectRoot.ts';

// The service that started the build has ended, so nobody needs the result.
process.on('disconnect', () => process.exit(1));

const outDir = process.argv[2] ?? '';
// A person's NODE_ENV must not make the page a development build.
process.env['NODE_ENV'] = 'production';
try {
  await build({ root: PROJECT_ROOT, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
  await compressFolder(outDir);
  process.exit(0);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
