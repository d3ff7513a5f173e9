interface ProgressLineProps {
  label: string;
  /** From 0 to 1; null: it goes on, and nobody knows how far it is. */
  share: number | null;
}

/** How far something is that a person waits for. Figures stand beside it as text. */
export function ProgressLine({ label, share }: ProgressLineProps) {
  return (
    <progress
      aria-label={label}
      max={1}
      {...(share !== null && { value: share })}
      className={
        'keeps-color h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-neutral-soft ' +
        'indeterminate:animate-breathe indeterminate:bg-accent [&::-moz-progress-bar]:bg-accent ' +
        '[&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full ' +
        '[&::-webkit-progress-value]:bg-accent'
      }
    />
  );
}
