// The process that reads roots: what takes long, or breaks on a strange file, keeps no request waiting.
import { openSide } from '#server/apart/apartSide.ts';
import { answerAsks } from '#server/apart/asks.ts';
import { openRootReader } from '#server/runs/disk/rootReader.ts';
import { ALL_FORMATS } from '#server/runs/formats/allFormats.ts';
import { findProcessIn, ownProcesses } from './liveness.ts';
import { openRunsCore } from './runsCore.ts';

answerAsks(
  openSide(),
  openRunsCore({
    openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange }),
    findProcess: findProcessIn(ownProcesses),
  }),
);
