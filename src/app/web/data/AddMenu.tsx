import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { toChangeRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { COMMAND_NAMES, COMMANDS, runCommand } from '#ui/commands/commands.ts';
import { Menu } from '#ui/lazy/Menu.tsx';

const DATA_COMMANDS = COMMAND_NAMES.filter((name) => COMMANDS[name].hint === 'Your own data');

/** The button of the tree that adds to a studio. Where that can't be done, its entries say why. */
export function AddMenu() {
  const disabledReason = toChangeRefusal(useQuery(sessionQuery()).data, 'Make projects and datasets');
  return (
    <Menu
      label="Add"
      icon={<Plus aria-hidden size={15} />}
      items={DATA_COMMANDS.map((name) => ({
        label: COMMANDS[name].label,
        onSelect: () => runCommand(name),
        disabledReason,
      }))}
    />
  );
}
