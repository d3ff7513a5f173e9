// For tests: the process that asks about files, on a system whose pipes hang as network mounts do.
import { open } from 'node:fs/promises';
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { nearFiles, type Files } from './files.ts';
import { openFilesCore } from './filesCore.ts';

const calls: Files = {
  ...nearFiles,
  // Whoever opens a pipe waits in a thread until somebody writes into it.
  find: async (path) => {
    if (path.endsWith('.pipe')) await (await open(path, 'r')).close();
    return nearFiles.find(path);
  },
};

answerAsks<Files>(openSide(), openFilesCore(calls, 300), Error);
