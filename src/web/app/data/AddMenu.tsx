import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { toDataRefusal } from '#web/api/data/dataRefusal.ts';
import { sessionQuery } from '#web/api/queries.ts';
import { runCommand } from '#web/session/commands.ts';
import { Menu } from '#web/ui/lazy/Menu.tsx';
import { DATA_COMMANDS } from './dataCommands.ts';

/** The button of the tree that adds to a studio. Where that can't be done, its entries say why. */
export function AddMenu() {
  const disabledReason = toDataRefusal(useQuery(sessionQuery()).data, 'Make projects and datasets');
  return (
    <Menu
      label="Add"
      icon={<Plus aria-hidden size={15} />}
      items={DATA_COMMANDS.map(([command, label]) => ({
        label,
        onSelect: () => runCommand(command),
        disabledReason,
      }))}
    />
  );
}
