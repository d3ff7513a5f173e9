// A thread that converts one adapter: large adapters take seconds, which the service does not have.
import { openSide } from '#server/apart/apartSide.ts';
import { answerAsks } from '#server/apart/asks.ts';
import { CannotServe } from './cannotServe.ts';
import { convertAdapter } from './convertAdapter.ts';

export interface ConvertThread {
  readonly convert: typeof convertAdapter;
}

answerAsks<ConvertThread>(openSide(), { convert: convertAdapter }, CannotServe);
