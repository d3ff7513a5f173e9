interface WholeNumbersProps {
  text: string;
}

const NUMBER = /(\d(?:\.\d+)?e-\d+)/;

/** A text whose numbers such as `1.5e-3` stay on one line: a browser may break it after their hyphen. */
export function WholeNumbers({ text }: WholeNumbersProps) {
  const parts = text.split(NUMBER);
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={parts.slice(0, index).join('')} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
