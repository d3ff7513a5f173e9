// What base models see of rows. The models are those that are served here from files; of others nothing is known.
import type { RowView } from '#features/datasets/shared/contract/rowView.ts';
import type { ModelFile } from '#engine/engine.ts';
import { nearFiles, type Files, type FoundFile } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { findByName } from '#engine/modelNames.ts';
import type { Chat, ModelFacts, RenderedChats } from './renderRow.ts';
import type { CountedRows, ViewFile } from './viewEntry.ts';
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

/** What a model's file says of it, and conversations as its chat template renders them. */
interface ModelDescription extends ModelFacts {
  readonly rendered: RenderedChats;
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
  /** Resolves also for a file that can't be read, with the reason. Read again only after the file has changed. */
  describe(file: Pick<ModelFile, 'id' | 'path'>, chats: readonly Chat[]): Promise<ModelDescription>;
  close(): Promise<void>;
}

export interface RowViewOptions extends ViewQueueOptions {
  readonly listFiles: () => Promise<readonly ModelFile[]>;
  readonly files?: Files;
}

const NO_FACTS: ModelFacts = { context: null, type: null, beginText: '', endText: '' };
/** Descriptions that are kept. */
const MOST_DESCRIBED = 64;

const toFile = (path: string, { bytes, modifiedAt }: FoundFile): ViewFile => ({
  path,
  version: `${bytes} ${modifiedAt}`,
});

const toUnreadable = (model: string, error: unknown): string =>
  `The chat template and the tokens of ${model} can't be read: ${error instanceof Error ? error.message : String(error)}. ` +
  'Export the model again, or choose another one.';

export function openRowViews({ listFiles, files = nearFiles, ...options }: RowViewOptions): RowViews {
  const queue = openViewQueue(options);

  const findFile = async (model: string): Promise<ModelFile | null> => findByName(await listFiles(), model);

  async function look(path: string, model: string): Promise<FoundFile | null> {
    try {
      return await files.find(path);
    } catch (error) {
      if (!(error instanceof Silence)) return null;
      throw new ViewFailure(
        `The chat template and the tokens of ${model} can't be read: ${path}: ${error.message}. Check the mount.`,
        'no-file',
      );
    }
  }

  async function toViewFile(model: string): Promise<ViewFile> {
    const file = await findFile(model);
    const found = file && (await look(file.path, model));
    if (!file || !found)
      throw new ViewFailure(
        `The studio has no file of ${model}, so its chat template and its tokens are not known. Start the studio with ` +
          `--model ${model}=FILE.gguf, or choose a model that has one.`,
        'no-file',
      );
    return toFile(file.path, found);
  }

  async function ask<Seen>(model: string, see: (file: ViewFile) => Promise<Seen>): Promise<Seen> {
    const file = await toViewFile(model);
    try {
      return await see(file);
    } catch (error) {
      if (error instanceof ViewTooMuch)
        throw new ViewFailure(
          `The chat template takes ${error.message}. Correct the template of the model, or shorten the row.`,
          'too-much',
        );
      throw new ViewFailure(toUnreadable(model, error), 'damaged');
    }
  }

  const described = new Map<string, Promise<ModelDescription>>();

  /** `isLasting`: it would be the same at the next question. */
  async function describe(
    model: string,
    file: ViewFile,
    chats: readonly Chat[],
  ): Promise<{ readonly description: ModelDescription; readonly isLasting: boolean }> {
    let facts = NO_FACTS;
    try {
      facts = await queue.ask('readFacts', file);
      return { description: { ...facts, rendered: await queue.ask('render', file, chats) }, isLasting: true };
    } catch (error) {
      const isLasting = error instanceof ViewTooMuch;
      const problem = isLasting
        ? `Its chat template takes ${error.message}. Correct the template of the model.`
        : toUnreadable(model, error);
      return { description: { ...facts, rendered: { problem } }, isLasting };
    }
  }

  return {
    async describe({ id, path }, chats) {
      const found = await files.find(path);
      if (found === null) throw new Error(`The file of ${id} is gone: ${path}.`);
      const file = toFile(path, found);
      const key = JSON.stringify([file, chats]);
      const known = described.get(key);
      if (known) return known;
      const work = describe(id, file, chats);
      const description = work.then((made) => made.description);
      described.set(key, description);
      const forget = (): void => void described.delete(key);
      work.then(({ isLasting }) => (isLasting ? undefined : forget()), forget);
      const [oldest] = described.keys();
      if (described.size > MOST_DESCRIBED && oldest !== undefined) described.delete(oldest);
      return description;
    },
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
