import { TextArea } from '#ui/fields/TextArea.tsx';

/** A link to read and to select. */
export function LinkField({ link }: { link: string }) {
  return (
    <TextArea
      label="Link"
      value={link}
      onChange={() => undefined}
      readOnly
      rows={3}
      isLabelHidden
      className="font-mono text-sm break-all"
    />
  );
}
