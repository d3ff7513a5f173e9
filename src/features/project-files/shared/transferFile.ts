// What a project's file is called, and its first line. Without the schema library: the page
// loads this to recognise such a file.
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { isUuid } from '#core/contract/uuid.ts';

export const TRANSFER_FORMAT = 'model-studio-project';
/** Files of a later version are refused, because what they hold is not known. */
export const TRANSFER_VERSION = 1;
export const TRANSFER_SUFFIX = '.project.jsonl.gz';

/** The first line of a file. */
export interface Manifest {
  readonly version: number;
  readonly exported_at: string;
  readonly project_id: string;
  readonly name: string;
  readonly rows: number;
  /** Bytes of the model files in it. */
  readonly model_bytes: number;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** null: it is not the first line of a project's file. A later version is told, though the rest may be unknown. */
export function readManifest(line: string): Manifest | null {
  const value = parseJson(line);
  if (!isObject(value) || value['format'] !== TRANSFER_FORMAT) return null;
  const { version, exported_at, project_id, name, rows, model_bytes } = value;
  if (!isCount(version) || typeof project_id !== 'string' || !isUuid(project_id) || typeof name !== 'string')
    return null;
  return {
    version,
    exported_at: typeof exported_at === 'string' ? exported_at : '',
    project_id: project_id.toLowerCase(),
    name,
    rows: isCount(rows) ? rows : 0,
    model_bytes: isCount(model_bytes) ? model_bytes : 0,
  };
}
