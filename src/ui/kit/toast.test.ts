import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dismissToast, holdToasts, readToasts, showToast, showUndo, subscribeToasts } from './toast.ts';

const texts = () => readToasts().map((toast) => toast.text);

describe('toasts', () => {
  const dismissAll = (): void => {
    for (const toast of readToasts()) dismissToast(toast.id);
  };
  beforeEach(() => {
    // Another file of the same worker may have left some.
    dismissAll();
    vi.useFakeTimers();
  });
  afterEach(() => {
    dismissAll();
    vi.useRealTimers();
  });

  it('leave by themselves, errors excepted', () => {
    showToast('Copied');
    showToast('It failed', { tone: 'error' });
    vi.advanceTimersByTime(6000);
    expect(texts()).toEqual(['It failed']);
  });

  it('stay while they are pointed at or have the focus, and have their whole time again afterwards', () => {
    showToast('Deleted', { action: { label: 'Undo', onSelect: () => undefined } });
    vi.advanceTimersByTime(19_000);
    holdToasts(true);
    showToast('Copied');
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(['Deleted', 'Copied']);
    holdToasts(false);
    vi.advanceTimersByTime(6_000);
    expect(texts()).toEqual(['Deleted']);
    vi.advanceTimersByTime(14_000);
    expect(texts()).toEqual([]);
  });

  it('show the same text once, at the end', () => {
    showToast('a', { tone: 'error' });
    showToast('b', { tone: 'error' });
    showToast('a', { tone: 'error' });
    expect(texts()).toEqual(['b', 'a']);
  });

  it('are never more than two; an error gives way to errors only', () => {
    for (const text of ['1', '2', '3']) showToast(text);
    expect(texts()).toEqual(['2', '3']);
    showToast('It failed', { tone: 'error' });
    for (const text of ['4', '5']) showToast(text);
    expect(texts()).toEqual(['It failed', '5']);
    for (const text of ['6', '7', '8']) showToast(text, { tone: 'error' });
    expect(texts()).toEqual(['7', '8']);
  });

  it('offer to undo, and say why that could not be done', () => {
    let reason: string | null = null;
    showUndo('2 runs taken out.', () => reason);
    const undo = readToasts()[0]?.action;
    expect(undo?.label).toBe('Undo');
    undo?.onSelect();
    expect(texts()).toEqual(['2 runs taken out.']);
    reason = 'It is too late.';
    undo?.onSelect();
    expect(texts().at(-1)).toBe('It is too late.');
  });

  it('with something to do stay longer, each for itself', () => {
    const undone: string[] = [];
    for (const name of ['a', 'b'])
      showToast('Message deleted', { action: { label: 'Undo', onSelect: () => undone.push(name) } });
    vi.advanceTimersByTime(6000);
    for (const { action } of readToasts()) action?.onSelect();
    expect(undone).toEqual(['a', 'b']);
    vi.advanceTimersByTime(14_000);
    expect(texts()).toEqual([]);
  });

  it('of a kind replace the last one', () => {
    const action = { label: 'Undo', onSelect: () => undefined };
    showToast('Pane 2 closed', { action, kind: 'closed' });
    showToast('Copied');
    showToast('Pane 1 closed', { action, kind: 'closed' });
    expect(texts()).toEqual(['Copied', 'Pane 1 closed']);
  });

  it('tell their listeners until those leave', () => {
    const listener = vi.fn<() => void>();
    const stop = subscribeToasts(listener);
    showToast('a');
    stop();
    showToast('b');
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
