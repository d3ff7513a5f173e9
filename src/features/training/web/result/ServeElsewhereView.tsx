import { formatBytes } from '#core/contract/numberNotation.ts';
import { useQuery } from '@tanstack/react-query';
import type { TakeAway } from '#features/training/shared/trainingRecords.ts';
import { takeAwayQuery } from '#features/training/web/api/trainingQueries.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { DownloadLink } from '#ui/lazy/DownloadLink.tsx';
import { CopyBlock } from './CopyBlock.tsx';
import { toPath } from '#core/contract/path.ts';

interface TakeAwayViewProps {
  id: string;
}

/** Of the files that a trainer left, many have one format. */
const toLabel = ({ format, name }: TakeAway['files'][number]): string => (format === 'as trained' ? name : format);

/** The files of a finished model, and how other servers serve them. Nothing for a model that is no file here. */
export function ServeElsewhereView({ id }: TakeAwayViewProps) {
  const { data: taken, error } = useQuery(takeAwayQuery(id));
  if (error) return <p className="text-soft">The files of this model could not be read: {error.message}</p>;
  if (!taken) return null;
  return (
    <section aria-label="Take the model away" className="flex min-w-0 flex-col gap-2">
      <h4 className="font-semibold">Take it away</h4>
      <p className="text-soft">Download what you need before you delete the run: its files go with it.</p>
      <ul aria-label="Files of the model" className="flex flex-col">
        {taken.files.map((file) => {
          const { format, path, bytes, name } = file;
          return (
            <li
              key={path}
              className="flex flex-wrap items-center gap-x-3 border-t border-line py-1 first:border-t-0 first:pt-0"
            >
              <span className="w-28 shrink-0 font-medium">{format}</span>
              <span className="w-16 shrink-0 font-mono text-sm">{formatBytes(bytes)}</span>
              <span className="min-w-0 flex-1 font-mono text-sm [overflow-wrap:anywhere]" title={path}>
                {name || path}
              </span>
              <CopyButton label={`Copy the path of ${toLabel(file)} on the studio’s machine`} text={path} />
              {name !== '' && (
                <DownloadLink
                  href={toPath('/api/v1/studio/experiments/{experimentId}/files/{name}', [id, name])}
                  name={name}
                  label={`Download ${toLabel(file)}, ${formatBytes(bytes)}`}
                />
              )}
            </li>
          );
        })}
      </ul>
      <details>
        <summary className="w-fit cursor-pointer rounded text-soft">Serve it with another server</summary>
        <div className="mt-1 flex flex-col gap-2">
          {taken.problem !== null && <p className="text-soft">{taken.problem}</p>}
          {taken.commands.map(({ title, command }) => (
            <CopyBlock key={title} title={title} text={command} />
          ))}
          {taken.modelfile !== null && (
            <>
              <CopyBlock title="Modelfile for Ollama, on the studio’s machine" text={taken.modelfile} />
              <p className="flex flex-wrap items-center gap-x-2 text-soft">
                For the downloaded files, in one folder with them:
                <DownloadLink
                  href={toPath('/api/v1/studio/experiments/{experimentId}/files/{name}', [id, 'Modelfile'])}
                  name="Modelfile"
                  label="Download the Modelfile"
                />
              </p>
            </>
          )}
        </div>
      </details>
    </section>
  );
}
