// All models of this service in one list, in which each name means one model.
import type { ModelEntry } from '#core/contract/completion.ts';
import type { ModelFile } from '#engine/engine.ts';
import { toNames, toOneList } from '#engine/modelNames.ts';
import type { UpstreamEngine } from '#engine/upstream/upstreamEngine.ts';

type ListFiles = () => Promise<readonly ModelFile[]>;

export interface ModelSources {
  /** The operator's: --model and models.json. */
  readonly own: readonly ModelFile[];
  readonly listTrained: ListFiles;
  /** In folders of runs. */
  readonly listRuns: ListFiles;
  /** Adapters of runs on models of the others. */
  readonly listServed: ListFiles;
  /** The server of --engine; null: none. */
  readonly upstream: Pick<UpstreamEngine, 'listModels' | 'check' | 'lastModels'> | null;
  /** Names of the models of other services on the same database. */
  readonly listOtherNames: () => Promise<readonly string[]>;
}

interface ModelNames {
  readonly names: ReadonlySet<string>;
  /** false: the server of --engine does not answer, so it may have others. */
  readonly isComplete: boolean;
}

export interface ModelLists {
  /** All files but those of `listServed`. */
  readonly listBases: ListFiles;
  readonly listFiles: ListFiles;
  /** All names that models have now, here and in other engines and services. */
  readNames(): Promise<ModelNames>;
}

const toIds = (entries: readonly ModelEntry[]): ReadonlySet<string> => new Set(entries.map(({ id }) => id));

export function openModelLists(sources: ModelSources): ModelLists {
  const { own, listTrained, listRuns, listServed, upstream, listOtherNames } = sources;

  /** As far as its last list says: chat with a model of this machine does not wait for another one. */
  async function listElsewhere(): Promise<ReadonlySet<string>> {
    if (upstream === null) return new Set();
    return toIds(upstream.lastModels() ?? (await upstream.listModels().catch(() => [])));
  }

  const listBases: ListFiles = async () =>
    toOneList([...own, ...(await listTrained()), ...(await listRuns())], await listElsewhere());
  const listFiles: ListFiles = async () =>
    toOneList([...(await listBases()), ...(await listServed())], await listElsewhere());

  /** Asked now; null: it does not answer. */
  async function readUpstream(): Promise<readonly ModelEntry[] | null> {
    if (upstream === null) return [];
    return upstream
      .check()
      .then(() => upstream.listModels())
      .catch(() => null);
  }

  return {
    listBases,
    listFiles,
    async readNames() {
      const [files, elsewhere, others] = await Promise.all([listFiles(), readUpstream(), listOtherNames()]);
      const here = files.flatMap(toNames);
      const names = new Set([...here, ...toIds(elsewhere ?? upstream?.lastModels() ?? []), ...others]);
      return { names, isComplete: elsewhere !== null };
    },
  };
}
