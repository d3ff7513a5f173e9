// The worker that reads roots: what takes long, or breaks on a strange file, keeps no request waiting.
import { parentPort } from 'node:worker_threads';
import { openRootReader } from '#server/runs/disk/rootReader.ts';
import { ALL_FORMATS } from '#server/runs/formats/allFormats.ts';
import { stackOf } from './errorText.ts';
import { findProcessIn, ownProcesses } from './liveness.ts';
import { openRunsCore } from './runsCore.ts';
import type { RunsQuestion, RunsReply } from './runsMessages.ts';

const core = openRunsCore({
  openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange }),
  findProcess: findProcessIn(ownProcesses),
});

async function answer({ number, method, arguments: given }: RunsQuestion): Promise<RunsReply> {
  try {
    const ask = core[method] as (...given: readonly unknown[]) => Promise<unknown>;
    return { number, type: 'answer', value: await ask(...given) };
  } catch (error) {
    return { number, type: 'failure', stack: stackOf(error) };
  }
}

parentPort?.on('message', (question: RunsQuestion) => {
  void answer(question).then((reply) => parentPort?.postMessage(reply, []));
});
