interface FieldProblemProps {
  id: string;
  message: string | null;
}

/** The place where a field says why a value was not taken. It is always there so that the words are announced. */
export function FieldProblem({ id, message }: FieldProblemProps) {
  return (
    <p id={id} aria-live="polite" className={message === null ? 'sr-only' : 'col-span-full text-sm text-bad'}>
      {message}
    </p>
  );
}
