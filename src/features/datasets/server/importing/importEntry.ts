// The thread of an import: lines are parsed and deflated here, so that the service goes on answering.
import { openSide, readData } from '#service/threads/isolatedSide.ts';
import { answerAsks, moving } from '#service/threads/threadRequests.ts';
import type { RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { openAnyFileRows } from './anyFileRows.ts';
import type { FileResult, ImportOrder } from './fileRows.ts';

export interface ImportThread {
  /** `blocks`: those that are full now. `memory`: of the bytes, for others. */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<{
    readonly blocks: readonly RowBlock[];
    readonly isRefused: boolean;
    readonly memory: ArrayBuffer;
  }>;
  end(): Promise<{ readonly blocks: readonly RowBlock[]; readonly result: FileResult }>;
}

const file = openAnyFileRows(readData<ImportOrder>());

const memoryOf = (blocks: readonly RowBlock[]): ArrayBuffer[] =>
  blocks.flatMap(({ body, grams }) => [body.buffer, grams.buffer]);

answerAsks<ImportThread>(openSide(), {
  async push(bytes) {
    const blocks = file.push(bytes);
    const memory = bytes.buffer;
    return moving({ blocks, isRefused: file.isRefused, memory }, [...memoryOf(blocks), memory]);
  },
  async end() {
    const last = await file.end();
    return moving(last, memoryOf(last.blocks));
  },
});
