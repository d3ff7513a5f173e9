import { DownloadLink } from '#ui/lazy/DownloadLink.tsx';
import { toFileText, type OfferedFile } from '#features/serving/web/servingWords.ts';
import { toPath } from '#core/contract/path.ts';

interface GgufLinksProps {
  runId: string;
  /** Its path, as the run names it. */
  checkpoint: string;
  files: readonly OfferedFile[];
  /** For an adapter: the model to run it on; absent: the one that it is served on. */
  base?: string | undefined;
}

/** Saved weights as GGUF files, which the service makes while it sends them. Nothing where it can make none. */
export function GgufLinks({ runId, checkpoint, files, base }: GgufLinksProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Download as GGUF" className="flex flex-wrap items-center gap-x-4">
      <li aria-hidden className="text-soft">
        Download as GGUF
      </li>
      {files.map((file) => {
        const query = { checkpoint, form: file.form, ...(base !== undefined && { base_model_id: base }) };
        const text = toFileText(file, base);
        return (
          <li key={file.name}>
            <DownloadLink
              href={toPath('/api/v1/studio/runs/{runId}/gguf', [runId], query)}
              name={file.name}
              label={`Download as GGUF: ${text}`}
            >
              {text}
            </DownloadLink>
          </li>
        );
      })}
    </ul>
  );
}
