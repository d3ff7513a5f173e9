// Whether the playground shows the chat or the prompt grid: a choice per tab that survives a reload.

export type PlaygroundView = 'chat' | 'grid';

const SESSION_KEY = 'studio.view';

export function readView(): PlaygroundView {
  try {
    return sessionStorage.getItem(SESSION_KEY) === 'grid' ? 'grid' : 'chat';
  } catch {
    return 'chat';
  }
}

export function storeView(view: PlaygroundView): void {
  try {
    sessionStorage.setItem(SESSION_KEY, view);
  } catch {
    // Without session storage a reload shows the chat.
  }
}
