import { JsonDialog } from './JsonDialog.tsx';
import { appendTools, TOOL_EXAMPLES } from './jsonExamples.ts';
import { findToolFaults } from './toolFaults.ts';

interface ToolsDialogProps {
  value: string;
  onChange: (value: string) => void;
  onClose: () => void;
}

/** The editor of the tools that the model may call. */
export function ToolsDialog({ value, onChange, onClose }: ToolsDialogProps) {
  return (
    <JsonDialog
      title="Tools"
      about="A list of functions in OpenAI's form. Changes are saved while you type. Run uses a list without problems."
      value={value}
      onChange={onChange}
      onClose={onClose}
      examples={TOOL_EXAMPLES}
      append={appendTools}
      findFaults={findToolFaults}
      placeholder={'[ { "type": "function", "function": { "name": … } } ]'}
    />
  );
}
