// Puts the studio's queue in front of another engine: a fixed number of answers at a time, fair to callers, bounded.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { toAbortable } from './abort.ts';
import type { Engine, EngineEvent, LoadedModel } from './engine.ts';
import type { QueueBounds } from './queueBounds.ts';
import { SlotPool } from './slotPool.ts';

export interface BoundedOptions {
  readonly bounds: QueueBounds;
  /** Answers at a time, over all models of the engine. */
  readonly atOnce?: number;
}

/** A serving engine batches hundreds of answers and has a queue. This limit only keeps one caller from taking all. */
const AT_ONCE = 128;

export function openBoundedEngine(engine: Engine, { bounds, atOnce = AT_ONCE }: BoundedOptions): Engine {
  const pool = new SlotPool(atOnce, { bounds, pace: `${atOnce} are answered at a time.` });

  async function* answer(
    model: LoadedModel,
    request: ChatRequest,
    signal: AbortSignal,
    caller: string,
  ): AsyncGenerator<EngineEvent, void> {
    const lease = await pool.enter(caller, signal);
    try {
      for await (const event of model.generate(request, signal)) {
        if (event.type === 'message-end') lease.complete();
        yield event;
      }
    } finally {
      lease.end();
    }
  }

  return {
    listModels: () => engine.listModels(),
    findModel: (name) => engine.findModel(name),
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
