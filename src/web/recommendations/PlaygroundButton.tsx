import { MessageSquareText } from 'lucide-react';
import { updateUrl } from '#web/session/urlState.ts';
import { IconButton } from '#web/ui/IconButton.tsx';

interface PlaygroundButtonProps {
  model: string;
}

/** Opens a model in the playground, by the page's address alone. */
export function PlaygroundButton({ model }: PlaygroundButtonProps) {
  return (
    <IconButton
      label={`Open ${model} in the playground`}
      icon={<MessageSquareText aria-hidden size={13} />}
      onClick={() => updateUrl({ models: [model] })}
      className="-my-0.5 size-6"
    />
  );
}
