// Whether the page is being printed now.
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Where HTML is made without a browser, as in tests, nothing is printed. */
const isOnPaper = (): boolean => typeof window.matchMedia === 'function' && window.matchMedia('print').matches;

/** True from before the browser lays the page out for paper until it is done. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(isOnPaper);
  useEffect(() => {
    const paper = window.matchMedia('print');
    const set = (value: boolean) => flushSync(() => setPrinting(value));
    const before = () => set(true);
    const after = () => set(false);
    const change = () => set(paper.matches);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    paper.addEventListener('change', change);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
      paper.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
