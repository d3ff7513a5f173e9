import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { examplesQuery } from '../api/queries';
import { usePane } from './deskStore';
import { EmptyPane } from './EmptyPane';
import { PaneHeader } from './PaneHeader';
import { ParameterPanel } from './ParameterPanel';
import { Transcript } from './Transcript';

/** Everything that its header takes. */
type PaneProps = ComponentProps<typeof PaneHeader>;

export function Pane({ paneId, index, count, options, isFocused, onFocus }: PaneProps) {
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const examples = useQuery(examplesQuery(model)).data ?? null;
  return (
    <section
      aria-label={`Pane ${index + 1}`}
      className="flex min-h-0 min-w-[min(340px,100%)] flex-1 snap-start flex-col not-first:border-l not-first:border-line"
    >
      <PaneHeader paneId={paneId} index={index} count={count} options={options} isFocused={isFocused} onFocus={onFocus} />
      <Transcript paneId={paneId} empty={<EmptyPane model={model} examples={examples} />} />
      <ParameterPanel paneId={paneId} />
    </section>
  );
}
