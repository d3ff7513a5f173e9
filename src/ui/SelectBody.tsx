import { Select as Base } from '@base-ui/react/select';
import { Check } from 'lucide-react';
import { SelectTrigger } from './SelectTrigger';
import { takeFocus } from './takeFocus';

interface SelectBodyProps {
  labelId: string;
  /** The label of the chosen option. */
  shown: string;
  value: string;
  options: readonly { value: string; label: string; hint?: string }[];
  onChange: (value: string) => void;
}

/** Trigger and pop-up of a Select; open at first, because the press that opens it is what brings this code. */
export function SelectBody({ labelId, shown, value, options, onChange }: SelectBodyProps) {
  return (
    <Base.Root value={value} onValueChange={(next) => next !== null && onChange(next)} items={options} defaultOpen modal={false}>
      <Base.Trigger ref={takeFocus} aria-labelledby={labelId} render={<SelectTrigger>{shown}</SelectTrigger>} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} collisionPadding={8} alignItemWithTrigger={false} className="z-40">
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-lg border border-line2 bg-surface p-1 shadow-pop outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="grid max-w-96 cursor-default grid-cols-[14px_1fr] items-center gap-x-1.5 rounded-md px-2 py-1.5 outline-none data-highlighted:bg-accent-soft"
              >
                <Base.ItemIndicator className="col-start-1 text-accent">
                  <Check aria-hidden size={13} />
                </Base.ItemIndicator>
                <Base.ItemText className="col-start-2 truncate">{option.label}</Base.ItemText>
                {option.hint !== undefined && <span className="col-start-2 truncate text-sm text-soft">{option.hint}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
