interface FieldProblemProps {
  id: string;
  message: string | null;
}

/** Shows why a value was refused. It is always mounted, so that screen readers announce the text. */
export function FieldProblem({ id, message }: FieldProblemProps) {
  return (
    <p id={id} aria-live="polite" className={message === null ? 'sr-only' : 'col-span-full text-sm text-error'}>
      {message}
    </p>
  );
}
