interface FormulaSourceProps {
  text: string;
}

/** A formula as it was typed. */
export function FormulaSource({ text }: FormulaSourceProps) {
  return <span className="md-formula">{text}</span>;
}
