// A process that judges and converts the weights of one checkpoint: large ones take seconds, and their files may be on a
// mount that hangs.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { CannotServe } from './cannotServe.ts';
import { convertWeights, judgeAdapter, judgeModel, openGguf, type WantedGguf } from './convertWeights.ts';

export interface ConvertProcess {
  readonly convert: typeof convertWeights;
  readonly judgeAdapter: typeof judgeAdapter;
  readonly judgeModel: typeof judgeModel;
  /** Begins the one file that this process makes for a reader. Resolves to its bytes. */
  readonly open: (wanted: WantedGguf) => Promise<number>;
  /** Its next piece; null: that was the last one. */
  readonly next: () => Promise<Uint8Array | null>;
}

let reading: AsyncIterator<Uint8Array> | null = null;

answerAsks<ConvertProcess>(
  openSide(),
  {
    convert: convertWeights,
    judgeAdapter,
    judgeModel,
    async open(wanted) {
      const { bytes, pieces } = await openGguf(wanted);
      reading = pieces[Symbol.asyncIterator]();
      return bytes;
    },
    async next() {
      const piece = await reading?.next();
      return piece?.done === false ? piece.value : null;
    },
  },
  CannotServe,
);
