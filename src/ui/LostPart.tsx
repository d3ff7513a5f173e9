interface LostPartProps {
  /** What can't be shown, as a noun: "The plot". */
  name: string;
}

/** Stands in the place of a part of the page whose code did not arrive. The browser may keep such a failure, so that only a new page can try again. */
export function LostPart({ name }: LostPartProps) {
  return (
    <div role="alert" className="m-2 rounded-md border border-bad/40 bg-bad-soft px-2.5 py-1.5 text-left text-sm whitespace-normal">
      <span className="font-semibold text-bad">{`${name} could not be loaded.`}</span> The studio did not answer, or this page is older than the
      studio. Reload the page once the studio runs; conversations and the address are kept.{' '}
      <button type="button" onClick={() => window.location.reload()} className="font-medium text-accent underline">
        Reload the page
      </button>
    </div>
  );
}
