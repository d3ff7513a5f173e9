// Puts the studio's own queue before an engine that has none of ours: so many answers at a time, callers in turn, the
// wait bounded.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { toAbortable } from './abort.ts';
import type { Engine, EngineEvent, LoadedModel } from './engine.ts';
import type { QueueBounds } from './queueBounds.ts';
import { SlotPool } from './slotPool.ts';

export interface BoundedOptions {
  readonly bounds: QueueBounds;
  /** Answers at a time, of all its models. */
  readonly atOnce?: number;
}

/** A serving engine batches hundreds of answers and queues by itself: this only keeps one caller from taking it all. */
const AT_ONCE = 128;

export function openBoundedEngine(engine: Engine, { bounds, atOnce = AT_ONCE }: BoundedOptions): Engine {
  const places = Array.from({ length: atOnce }, (_, index) => index);
  const pool = new SlotPool(places, { bounds, pace: `${atOnce} are answered at a time.` });

  async function* answer(
    model: LoadedModel,
    request: ChatRequest,
    signal: AbortSignal,
    caller: string,
  ): AsyncGenerator<EngineEvent, void> {
    const turn = await pool.enter(caller, signal);
    try {
      for await (const event of model.generate(request, signal)) {
        if (event.type === 'message-end') turn.complete();
        yield event;
      }
    } finally {
      turn.end();
    }
  }

  return {
    listModels: () => engine.listModels(),
    check: () => engine.check(),
    async load(model, signal, caller): Promise<LoadedModel | null> {
      const loaded = await engine.load(model, signal, caller);
      if (loaded === null) return null;
      const { id, fingerprint } = loaded;
      return {
        id,
        fingerprint,
        generate: (request, outer, who = '') => toAbortable((inner) => answer(loaded, request, inner, who), [outer]),
      };
    },
    close: () => engine.close(),
  };
}
