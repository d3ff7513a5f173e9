// All actions of the playground for one service. What asks models is loaded when it is reached for: nothing of it is
// needed before something is said.
import { showToast } from '#web/ui/toast.ts';
import * as actions from '#web/playground/desk/actions.ts';
import * as exampleActions from '#web/playground/desk/exampleActions.ts';
import type { PlaygroundActions } from './playgroundActions.ts';
import type { Mode } from './runActions.ts';
import * as turnActions from '#web/playground/desk/turnActions.ts';

type RunActions = typeof import('./runActions.ts');

/** Resolves to null, and says so, where the code does not arrive. */
async function loadRunActions(): Promise<RunActions | null> {
  try {
    return await import('./runActions.ts');
  } catch {
    showToast(
      'Nothing was sent: a part of the page did not arrive. Check that the studio is running, then try again.',
      { tone: 'bad' },
    );
    return null;
  }
}

export function toActions(mode: Mode): PlaygroundActions {
  return {
    ...actions,
    ...exampleActions,
    ...turnActions,
    sendMessage: async (samples) => (await loadRunActions())?.sendMessage(mode, samples),
    runPane: async (paneId) => (await loadRunActions())?.runPane(mode, paneId),
    askWaiting: async (paneId) => (await loadRunActions())?.askWaiting(mode, paneId),
    regenerate: async (paneId, turnId) => (await loadRunActions())?.regenerate(mode, paneId, turnId),
    repeatAnswer: async (paneId, turnId, answerId, how) =>
      (await loadRunActions())?.repeatAnswer(mode, paneId, turnId, answerId, how) ?? null,
    retryPane: async (paneId) => (await loadRunActions())?.retryPane(mode, paneId),
    retrySamples: async (paneId, turnId) => (await loadRunActions())?.retrySamples(mode, paneId, turnId),
    retryFailed: async () => (await loadRunActions())?.retryFailed(mode),
    addResults: async (paneId, turnId, results) => (await loadRunActions())?.addResults(mode, paneId, turnId, results),
    shareResult: async (paneId, call, content) => (await loadRunActions())?.shareResult(mode, paneId, call, content),
    sendResults: async (paneIds) => (await loadRunActions())?.sendResults(mode, paneIds),
    saveAndRun: async (paneId, turnId, text) => {
      const run = await loadRunActions();
      // What was written is kept either way.
      if (run) await run.saveAndRun(mode, paneId, turnId, text);
      else turnActions.saveTurn(paneId, turnId, text);
    },
  };
}
