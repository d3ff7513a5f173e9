import { useMemo } from 'react';
import type { SessionInfo } from '../contract/routes';
import { openAsk } from '../grid/askCell';
import { GridPanel } from '../grid/GridPanel';
import { useDesk } from './deskStore';
import { openColumnSelector } from './gridColumns';
import type { ModelOption } from './modelOptions';
import { openQueued } from './running';

interface GridViewProps {
  mode: SessionInfo['mode'] | null;
  options: readonly ModelOption[];
}

const ask = openAsk({ open: openQueued, now: () => performance.now(), date: () => Date.now() });

/** The prompt grid over the panes of the playground; its requests wait in the same line as those of the chat. */
export function GridView({ mode, options }: GridViewProps) {
  const select = useMemo(() => openColumnSelector(mode, new Map(options.map(({ value, label, short }) => [value, short ?? label]))), [mode, options]);
  const { columns, problems } = useDesk(({ desk }) => select(desk));
  const draft = useDesk(({ desk }) => desk.draft);
  return <GridPanel columns={columns} columnProblems={problems} draft={draft} ask={ask} />;
}
