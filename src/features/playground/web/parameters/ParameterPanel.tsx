import { ChevronRight, Link2, RotateCcw, Unlink2 } from 'lucide-react';
import { useId } from 'react';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { paneSettings } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { showParameters, useParametersOpen } from '#features/playground/web/desk/viewChoice.ts';
import { resetSettings, setLinked, setSettings } from '#features/playground/web/desk/actions.ts';
import { isChanged, PANEL_NAMES, toSettingSummary } from '#features/playground/web/desk/settingLabels.ts';
import { BroughtSettings, useBroughtSettings } from './useBroughtSettings.ts';
import { SETTING_NAMES, type Settings } from '#features/playground/web/desk/settings.ts';

const ParameterFields = toLazyPart(
  'The parameters',
  async () => (await import('./ParameterFields.tsx')).ParameterFields,
);

interface ParameterPanelProps {
  paneId: string;
  /** There are other panes to link with. */
  canLink: boolean;
}

const CHIP =
  'inline-flex h-6 shrink-0 items-center gap-1 rounded-md px-1.5 text-sm text-faint hover:bg-neutral-soft ' +
  'hover:text-ink aria-pressed:text-accent';
const NO_SETTINGS: Settings = {};

/** The settings of a pane's requests. Linked settings are the same in all linked panes. */
export function ParameterPanel({ paneId, canLink }: ParameterPanelProps) {
  const id = useId();
  const settings = usePane(paneId, (pane, desk) => paneSettings(desk, pane)) ?? NO_SETTINGS;
  const ownCount = usePane(paneId, (pane) => SETTING_NAMES.filter((name) => name in pane.own).length) ?? 0;
  const brought = useBroughtSettings(paneId);
  const isOpen = useParametersOpen();
  // The count equals the number of marks. The system prompt has a row only beside other panes.
  const changed = (canLink ? SETTING_NAMES : PANEL_NAMES).filter((name) => isChanged(settings, name, brought)).length;
  const isAnySet = PANEL_NAMES.some((name) => settings[name] !== undefined);
  const isLinked = ownCount === 0;
  const fields = { paneId, settings, canLink, onChange: (patch: Settings) => setSettings(paneId, patch) };
  return (
    <div className="shrink-0 border-t border-line">
      <div className="flex h-8 items-center gap-1 pr-1.5 pl-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => showParameters(!isOpen)}
          className="flex h-7 min-w-0 flex-1 items-center gap-1 rounded-md px-1 text-left hover:bg-neutral-soft"
        >
          <ChevronRight aria-hidden size={13} className={`shrink-0 text-faint ${isOpen ? 'rotate-90' : ''}`} />
          <span className="shrink-0 font-semibold">Parameters</span>
          <span className="truncate pl-1 text-sm text-soft">
            {isOpen ? changed > 0 && `${changed} changed` : toSettingSummary(settings)}
          </span>
        </button>
        {isOpen && isAnySet && (
          <IconButton
            label="Reset all parameters"
            icon={<RotateCcw aria-hidden size={13} />}
            onClick={() => resetSettings(paneId, PANEL_NAMES)}
          />
        )}
        {canLink && (
          <button
            type="button"
            aria-pressed={isLinked}
            onClick={() => setLinked(paneId, SETTING_NAMES, !isLinked)}
            className={CHIP}
            title={
              isLinked
                ? 'The same settings as in all linked panes. Press to give this pane its own.'
                : 'This pane has settings of its own. Press to use those of the linked panes for all.'
            }
          >
            {isLinked ? <Link2 aria-hidden size={12} /> : <Unlink2 aria-hidden size={12} />}
            {isLinked ? 'linked' : ownCount === SETTING_NAMES.length ? 'own' : `${ownCount} own`}
          </button>
        )}
      </div>
      <div id={id} hidden={!isOpen} className="@container max-h-[38vh] overflow-y-auto px-3 pb-2">
        {isOpen && (
          <FeatureBoundary name="The parameters" fallback={<Skeleton rows={6} />}>
            <BroughtSettings value={brought}>
              <ParameterFields {...fields} />
            </BroughtSettings>
          </FeatureBoundary>
        )}
      </div>
    </div>
  );
}
