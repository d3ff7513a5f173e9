import { ChevronRight, Link2, Unlink2 } from 'lucide-react';
import { useId } from 'react';
import { SAMPLING_LIMITS, SAMPLING_NAMES } from '../contract/limits';
import { SliderField } from '../ui/SliderField';
import { paneParameters } from './desk';
import { usePane } from './deskStore';
import { GenerationFields } from './GenerationFields';
import { showParameters, useParametersOpen } from './parameterDisclosure';
import { toParameterSummary } from './parameterSummary';
import { useActions } from './playgroundActions';

interface ParameterPanelProps {
  paneId: string;
}

const CHIP = 'inline-flex h-6 shrink-0 items-center gap-1 rounded-md px-1.5 text-sm text-faint hover:bg-off-soft hover:text-ink aria-pressed:text-accent';

/** Sampling parameters of a pane; while it is linked they are those of all linked panes. */
export function ParameterPanel({ paneId }: ParameterPanelProps) {
  const { setLinked, setParameters } = useActions();
  const id = useId();
  const parameters = usePane(paneId, (pane, desk) => paneParameters(desk, pane)) ?? {};
  const isLinked = usePane(paneId, (pane) => pane.parameters === null) ?? true;
  const isOpen = useParametersOpen();
  return (
    <div className="shrink-0 border-t border-line">
      <div className="flex h-8 items-center gap-1 pr-1.5 pl-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => showParameters(!isOpen)}
          className="flex h-7 min-w-0 flex-1 items-center gap-1 rounded-md px-1 text-left hover:bg-off-soft"
        >
          <ChevronRight aria-hidden size={13} className={`shrink-0 text-faint ${isOpen ? 'rotate-90' : ''}`} />
          <span className="shrink-0 font-semibold">Parameters</span>
          <span className="truncate pl-1 text-sm text-soft">{isOpen ? '' : toParameterSummary(parameters)}</span>
        </button>
        <button type="button" aria-pressed={isLinked} onClick={() => setLinked(paneId, !isLinked)} className={CHIP} title={isLinked ? 'The same parameters as in all linked panes. Press to give this pane its own.' : 'This pane has its own parameters. Press to use those of the linked panes.'}>
          {isLinked ? <Link2 aria-hidden size={12} /> : <Unlink2 aria-hidden size={12} />}
          {isLinked ? 'linked' : 'own'}
        </button>
      </div>
      <div id={id} hidden={!isOpen} className="max-h-[38vh] overflow-y-auto px-3 pb-2">
        {isOpen && (
          <>
            {SAMPLING_NAMES.map((name) => (
              <SliderField key={name} limit={SAMPLING_LIMITS[name]} value={parameters[name]} onChange={(value) => setParameters(paneId, { [name]: value })} />
            ))}
            <GenerationFields parameters={parameters} onChange={(patch) => setParameters(paneId, patch)} />
          </>
        )}
      </div>
    </div>
  );
}
