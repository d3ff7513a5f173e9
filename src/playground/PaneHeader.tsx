import { Maximize2, Minimize2, X } from 'lucide-react';
import { Button } from '../ui/Button';
import { ComboBox } from '../ui/ComboBox';
import { IconButton } from '../ui/IconButton';
import { isBusy, panePhase } from './desk';
import { usePane } from './deskStore';
import type { ModelOption } from './modelOptions';
import { useActions } from './playgroundActions';

interface PaneHeaderProps {
  paneId: string;
  index: number;
  count: number;
  options: readonly ModelOption[];
  isFocused: boolean;
  onFocus: (isFocused: boolean) => void;
}

/** The same colours as in the plot and the tables. */
const SERIES = ['bg-s1', 'bg-s2', 'bg-s3', 'bg-s4', 'bg-s5', 'bg-s6', 'bg-s7', 'bg-s8'];

export function PaneHeader({ paneId, index, count, options, isFocused, onFocus }: PaneHeaderProps) {
  const { removePane, retryPane, setModel, stopPane } = useActions();
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const phase = usePane(paneId, panePhase) ?? 'idle';
  return (
    <div className="flex h-10 shrink-0 items-center gap-1.5 border-b border-line pr-1.5 pl-3">
      <i aria-hidden className={`size-2 shrink-0 rounded-[2px] ${SERIES[index % SERIES.length] ?? ''}`} />
      <ComboBox
        label="Model"
        isLabelHidden
        value={model}
        onChange={(next) => setModel(paneId, next)}
        options={options}
        placeholder="Choose or type a model"
      />
      {isBusy(phase) ? (
        <Button size="small" onClick={() => stopPane(paneId)}>
          Stop
        </Button>
      ) : (
        phase !== 'idle' && (
          <Button size="small" variant="quiet" onClick={() => void retryPane(paneId)} disabledReason={model.trim() === '' ? 'Choose a model first.' : null}>
            Retry
          </Button>
        )
      )}
      {count > 1 && (
        <>
          <IconButton
            label={isFocused ? 'Show all panes' : 'Focus this pane'}
            icon={isFocused ? <Minimize2 aria-hidden size={13} /> : <Maximize2 aria-hidden size={13} />}
            onClick={() => onFocus(!isFocused)}
          />
          <IconButton label="Close pane" icon={<X aria-hidden size={14} />} onClick={() => removePane(paneId)} />
        </>
      )}
    </div>
  );
}
