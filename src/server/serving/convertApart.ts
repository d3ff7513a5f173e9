// A process that judges and converts the weights of one checkpoint: large ones take seconds, and their files may be on a
// mount that hangs.
import { openSide } from '#server/apart/apartSide.ts';
import { answerAsks } from '#server/apart/asks.ts';
import { CannotServe } from './cannotServe.ts';
import { convertWeights, judgeAdapter, judgeModel } from './convertWeights.ts';

export interface ConvertProcess {
  readonly convert: typeof convertWeights;
  readonly judgeAdapter: typeof judgeAdapter;
  readonly judgeModel: typeof judgeModel;
}

answerAsks<ConvertProcess>(openSide(), { convert: convertWeights, judgeAdapter, judgeModel }, CannotServe);
