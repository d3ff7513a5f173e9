import { CopyButton } from '#ui/kit/CopyButton.tsx';
import type { toWayGroups } from './servingWords.ts';

type ServingCommandsProps = Pick<ReturnType<typeof toWayGroups>, 'commands' | 'refused'>;

/** What to run on a machine of one's own, and the servers that can't take the weights. Nothing where there is neither. */
export function ServingCommands({ commands, refused }: ServingCommandsProps) {
  if (commands.length + refused.length === 0) return null;
  return (
    <section aria-label="Commands" className="flex flex-col gap-1.5">
      <h3 className="font-semibold">With a server of your own</h3>
      {commands.length > 0 && (
        <p className="text-soft">
          Copy a command to the machine that has the weights, then start the studio with --engine and the address of
          that server.
        </p>
      )}
      <dl className="flex flex-col gap-1.5">
        {commands.map(({ title, command = '' }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="flex items-start gap-1">
              <code className="min-w-0 flex-1 rounded-md bg-raised px-2 py-1 font-mono text-sm [overflow-wrap:anywhere]">
                {command}
              </code>
              <CopyButton label={`Copy the command for ${title}`} text={command} />
            </dd>
          </div>
        ))}
        {refused.map(({ titles, reason }) => (
          <div key={titles}>
            <dt>{titles}</dt>
            <dd className="text-soft">{reason}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
