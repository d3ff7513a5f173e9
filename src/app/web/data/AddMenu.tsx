import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { toChangeRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { toReadOnlyReason } from '#ui/client/rights.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { COMMAND_NAMES, COMMANDS, runCommand, type CommandName } from '#ui/commands/commands.ts';
import { Menu } from '#ui/lazy/Menu.tsx';

const DATA_COMMANDS = COMMAND_NAMES.filter((name) => COMMANDS[name].hint === 'Your own data');

/** What also works on a remote studio, through the gateway. */
const REMOTE_TOO: ReadonlySet<CommandName> = new Set<CommandName>([
  'new-project',
  'add-data',
  'make-data',
  'new-snapshot',
]);

/** The button of the tree that adds to a studio. Where that can't be done, its entries say why. */
export function AddMenu() {
  const session = useQuery(sessionQuery()).data;
  return (
    <Menu
      label="Add"
      icon={<Plus aria-hidden size={15} />}
      items={DATA_COMMANDS.map((name) => ({
        label: COMMANDS[name].label,
        onSelect: () => runCommand(name),
        disabledReason: REMOTE_TOO.has(name) ? toReadOnlyReason(session) : toChangeRefusal(session, 'Do it'),
      }))}
    />
  );
}
