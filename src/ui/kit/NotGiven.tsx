// There is no picture file: the dash itself is the picture that the name describes.
const SIGN = { role: 'img', 'aria-label': 'not given', title: 'not given' } as const;

/** A dash in the place of a value that the service did not give. Its name and title say so in words. */
export function NotGiven() {
  return (
    <span {...SIGN} className="font-sans text-faint">
      —
    </span>
  );
}
