// Whether a new model answers.
import { EngineError, type Engine } from '#engine/engine.ts';
import { toReason } from '#service/database/database.ts';

/** How long a new model may take to load. */
const LOAD_MS = 120_000;

/** Loads a model once. What is wrong with it; null: nothing, or the machine has no room for it now. */
export async function tryModel(engine: Pick<Engine, 'load'>, id: string): Promise<string | null> {
  try {
    const loaded = await engine.load(id, AbortSignal.timeout(LOAD_MS));
    return loaded === null ? 'The engine does not find it.' : null;
  } catch (error) {
    const isBusy = error instanceof EngineError && (error.status === 503 || error.status === 429);
    return isBusy ? null : toReason(error);
  }
}
