// What base models see of rows. The models are those that are served here from files; of others nothing is known.
import { stat } from 'node:fs/promises';
import type { RowView } from '#shared/contract/data/rowView.ts';
import type { ModelFile } from '#server/engine/engine.ts';
import { findByName } from '#server/engine/modelNames.ts';
import type { CountedRows, ViewFile } from './viewApart.ts';
import { openViewQueue, ViewTooMuch, type ViewQueueOptions } from './viewQueue.ts';

/** Why rows can't be seen as a model does, with what to do. */
export class ViewFailure extends Error {
  override readonly name = 'ViewFailure';
  constructor(
    message: string,
    readonly kind: 'no-file' | 'damaged' | 'too-much',
  ) {
    super(message);
  }
}

export interface RowViews {
  /** Whether a model, by id or alias, has a file here. */
  knows(model: string): Promise<boolean>;
  /** Throws ViewFailure for a model without one. */
  check(model: string): Promise<void>;
  /** One row (a chat row as JSON). `context` null: the model's own. Throws ViewFailure. */
  view(model: string, row: string, context: number | null): Promise<RowView>;
  /** The same in numbers, for some hundred rows. Throws ViewFailure. */
  count(model: string, rows: readonly string[], context: number | null): Promise<CountedRows>;
  close(): Promise<void>;
}

export interface RowViewOptions extends ViewQueueOptions {
  readonly listFiles: () => Promise<readonly ModelFile[]>;
}

export function openRowViews({ listFiles, ...options }: RowViewOptions): RowViews {
  const queue = openViewQueue(options);

  const findFile = async (model: string): Promise<ModelFile | null> => findByName(await listFiles(), model);

  async function toViewFile(model: string): Promise<ViewFile> {
    const file = await findFile(model);
    const found = file && (await stat(file.path).catch(() => null));
    if (!file || !found)
      throw new ViewFailure(
        `The studio has no file of ${model}, so its chat template and its tokens are not known. Start the studio with ` +
          `--model ${model}=FILE.gguf, or choose a model that has one.`,
        'no-file',
      );
    return { path: file.path, version: `${found.size} ${found.mtimeMs}` };
  }

  async function ask<Seen>(model: string, look: (file: ViewFile) => Promise<Seen>): Promise<Seen> {
    const file = await toViewFile(model);
    try {
      return await look(file);
    } catch (error) {
      if (error instanceof ViewTooMuch) throw new ViewFailure(error.message, 'too-much');
      const reason = error instanceof Error ? error.message : String(error);
      throw new ViewFailure(
        `The chat template and the tokens of ${model} can't be read: ${reason}. Export the model again, or choose ` +
          'another one.',
        'damaged',
      );
    }
  }

  return {
    knows: async (model) => (await findFile(model)) !== null,
    check: async (model) => void (await toViewFile(model)),
    view: async (model, row, context) => ({
      model,
      ...(await ask(model, (file) => queue.ask('view', file, row, context))),
    }),
    count: (model, rows, context) => ask(model, (file) => queue.ask('count', file, rows, context)),
    close: () => queue.close(),
  };
}
