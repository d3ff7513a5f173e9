// A process that converts one adapter: large adapters take seconds, and their files may be on a mount that hangs.
import { openSide } from '#server/apart/apartSide.ts';
import { answerAsks } from '#server/apart/asks.ts';
import { CannotServe } from './cannotServe.ts';
import { convertAdapter } from './convertAdapter.ts';

export interface ConvertProcess {
  readonly convert: typeof convertAdapter;
}

answerAsks<ConvertProcess>(openSide(), { convert: convertAdapter }, CannotServe);
