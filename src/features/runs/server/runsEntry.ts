// The process that reads roots: what takes long, or breaks on a strange file, keeps no request waiting.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { openRootReader } from '#features/runs/server/disk/rootReader.ts';
import { ALL_FORMATS } from '#features/runs/server/formats/allFormats.ts';
import { findProcessIn, ownProcesses } from './liveness.ts';
import { openRunsCore } from './runsCore.ts';

answerAsks(
  openSide(),
  openRunsCore({
    openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange }),
    findProcess: findProcessIn(ownProcesses),
  }),
);
