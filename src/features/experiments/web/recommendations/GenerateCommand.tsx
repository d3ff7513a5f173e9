import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { toGenerateCommand } from './advice.ts';

interface GenerateCommandProps {
  snapshotId: string;
  /** Origin of the remote studio; null for the local one, which makes recommendations without a request. */
  remote: string | null;
}

/** The command that requests a recommendation from a remote studio. */
export function GenerateCommand({ snapshotId, remote }: GenerateCommandProps) {
  if (remote === null) return null;
  const command = toGenerateCommand(remote, snapshotId);
  return (
    <div className="flex w-full max-w-160 items-start gap-1 rounded-md border border-line bg-surface py-1.5 pr-1.5 pl-3">
      <pre className="min-w-0 flex-1 py-1 font-mono text-sm break-all whitespace-pre-wrap">{command}</pre>
      <CopyButton label="Copy the command" text={command} />
    </div>
  );
}
