// Builds the dashboard. It runs as a process of its own (build.ts), whose end frees the bundler's memory and threads.
import { build } from 'vite';
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { compressFolder } from '#service/http/compress.ts';
import { PROJECT_ROOT } from './projectRoot.ts';

export interface BuildProcess {
  /** Throws with what the bundler says. */
  build(outDir: string): Promise<void>;
}

// A person's NODE_ENV must not make the page a development build.
process.env['NODE_ENV'] = 'production';

answerAsks<BuildProcess>(
  openSide(),
  {
    async build(outDir) {
      await build({ root: PROJECT_ROOT, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
      await compressFolder(outDir);
    },
  },
  Error,
);
