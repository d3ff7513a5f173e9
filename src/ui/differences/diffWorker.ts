// Finds differences in a worker. If the search throws, the texts are shown as they are.
import { toTextDiff, type TextDiff } from '#core/differences/textDiff.ts';
import { serveJobs } from '#ui/timing/timedWorker.ts';
import type { TextPair } from './useTextDiff.ts';

serveJobs(({ before, after }: TextPair): TextDiff | null => {
  try {
    return toTextDiff(before, after);
  } catch {
    return null;
  }
});
