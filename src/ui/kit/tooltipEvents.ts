// Watches the whole page for elements with `data-tip` under the pointer or the keyboard focus.

export interface Tip {
  readonly text: string;
  readonly anchor: HTMLElement;
  /** The pointer called it, and may move onto it. Of one that the focus called, a press goes to what lies beneath. */
  readonly isPointed: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const DELAY_MS = 400;
/** After one tooltip the next comes at once for a moment: moving along a toolbar should not be slow. */
const WARM_MS = 300;

function findAnchor(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;
}

const isCurrent = (anchor: HTMLElement, text: string): boolean =>
  anchor.isConnected && anchor.getAttribute('data-tip') === text && anchor.checkVisibility();

/** Calls `onChange` with the tooltip to show, or null. Returns the way to stop. */
export function watchTooltips(onChange: (tip: Tip | null) => void): () => void {
  let anchor: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenAt = 0;
  let isShown = false;
  let shownText = '';
  let isPointed = false;
  let pointer: Point | null = null;

  const hide = () => {
    clearTimeout(timer);
    if (isShown) {
      hiddenAt = performance.now();
      onChange(null);
    }
    isShown = false;
    anchor = null;
    changes.disconnect();
  };
  /** What it explains is gone, or has become something else, such as disabled. */
  const changes = new MutationObserver(() => {
    if (isShown && anchor && !isCurrent(anchor, shownText)) hide();
  });
  const show = (next: HTMLElement, delay: number, byPointer: boolean) => {
    if (next === anchor) {
      if (byPointer && !isPointed && isShown) onChange({ text: shownText, anchor, isPointed: true });
      isPointed ||= byPointer;
      return;
    }
    hide();
    anchor = next;
    isPointed = byPointer;
    timer = setTimeout(() => {
      const text = next.getAttribute('data-tip');
      if (!text || !next.isConnected) return;
      isShown = true;
      shownText = text;
      changes.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['data-tip', 'aria-disabled', 'hidden', 'open'],
      });
      onChange({ text, anchor: next, isPointed });
    }, delay);
  };
  const onPointerOver = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    // The page moved, not the pointer: what comes to lie under it, as after a press, was not pointed at.
    if (pointer?.x === event.clientX && pointer.y === event.clientY) return;
    // The bubble itself may be hovered, so that a long text can be read (WCAG 1.4.13).
    if (event.target instanceof Element && event.target.closest('[role="tooltip"]')) return;
    const next = findAnchor(event.target);
    if (next) show(next, performance.now() - hiddenAt < WARM_MS ? 0 : DELAY_MS, true);
    else if (!anchor?.matches(':focus-visible')) hide();
  };
  const onFocusIn = (event: FocusEvent) => {
    const next = findAnchor(event.target);
    if (next?.matches(':focus-visible')) show(next, DELAY_MS, false);
    else hide();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Enter' || event.key === ' ') hide();
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => void (pointer = { x: clientX, y: clientY });
  const listeners = new AbortController();
  const { signal } = listeners;
  document.addEventListener('pointerover', onPointerOver, { signal });
  document.addEventListener('pointermove', onPointerMove, { signal, passive: true });
  document.addEventListener('focusin', onFocusIn, { signal });
  document.addEventListener('focusout', hide, { signal });
  document.addEventListener('pointerdown', hide, { signal, capture: true });
  document.addEventListener('keydown', onKeyDown, { signal, capture: true });
  document.addEventListener('scroll', hide, { signal, capture: true, passive: true });
  return () => {
    listeners.abort();
    changes.disconnect();
    clearTimeout(timer);
  };
}
