// Several engines as one. The first engine that has a model serves it.
import type { ModelEntry } from '#core/contract/completion.ts';
import { throwIfAborted } from './abort.ts';
import type { Engine } from './engine.ts';

/** `engines`: in order of preference. A failing engine does not hide the models of the others. */
export function openRegistry(engines: readonly Engine[]): Engine {
  /** What the first engine that has it gives. A failed engine may have the model, so its error is truer than null. */
  async function findFirst<Found>(
    find: (engine: Engine) => Promise<Found | null>,
    check = (): void => undefined,
  ): Promise<Found | null> {
    const failures: unknown[] = [];
    for (const engine of engines) {
      check();
      try {
        const found = await find(engine);
        if (found !== null) return found;
      } catch (error) {
        check();
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return null;
  }

  return {
    async listModels() {
      const answers = await Promise.allSettled(engines.map((engine) => engine.listModels()));
      const found = new Map<string, ModelEntry>();
      for (const answer of answers) {
        if (answer.status === 'rejected') continue;
        for (const entry of answer.value) if (!found.has(entry.id)) found.set(entry.id, entry);
      }
      const failure = answers.find((answer) => answer.status === 'rejected');
      if (failure !== undefined && answers.every((answer) => answer.status === 'rejected')) throw failure.reason;
      return [...found.values()];
    },
    /** Every engine must answer, because no other engine serves its models. */
    async check() {
      await Promise.all(engines.map((engine) => engine.check()));
    },
    findModel: (name) => findFirst((engine) => engine.findModel(name)),
    load: (model, signal, caller) =>
      findFirst(
        (engine) => engine.load(model, signal, caller),
        () => throwIfAborted(signal),
      ),
    async close() {
      await Promise.allSettled(engines.map((engine) => engine.close()));
    },
  };
}
