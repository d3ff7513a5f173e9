// Fills an example prompt into a pane.
import type { Examples } from '#core/contract/sessionInfo.ts';
import { showToast } from '#ui/kit/toast.ts';
import { changeSettings, findPane, paneSettings, type Desk } from './desk.ts';
import { readDesk } from './deskStore.ts';
import { renewFields } from './fieldsEpoch.ts';
import type { Settings } from './settings.ts';
import { changeWithUndo, sameSession } from './undo.ts';

const PARTS = { systemPrompt: 'system prompt', tools: 'tools' } as const;

type Part = keyof typeof PARTS;

const PART_NAMES = Object.keys(PARTS) as readonly Part[];

const pick = (from: Settings, parts: readonly Part[]): Settings =>
  Object.fromEntries(parts.map((part) => [part, from[part]]));

/** What the last example filled in. No person wrote it, so the next example may replace it silently. */
let lastExample: Settings = {};

/** An example without tools keeps the tools that a person wrote. */
function toTools({ tools }: Pick<Examples, 'tools'>, now: Settings): string | undefined {
  if (tools.length > 0) return JSON.stringify(tools, null, 2);
  return now.tools === lastExample.tools ? undefined : now.tools;
}

/**
 * Fills in the prompt, the system prompt and the tools of an example, into the pane's own settings or the shared ones.
 * With a single pane on show it replaces what a person wrote, and offers Undo. With several panes it keeps that,
 * because their answers are compared under the same settings.
 */
export function applyExample(paneId: string, example: Pick<Examples, 'system_prompt' | 'tools'>, draft: string): void {
  const before = readDesk();
  const pane = findPane(before, paneId);
  if (!pane) return;
  const now = paneSettings(before, pane);
  const isCompared = before.panes.length > 1;
  const wanted: Settings = { systemPrompt: example.system_prompt, tools: toTools(example, now) };
  const changed = PART_NAMES.filter((part) => (wanted[part] ?? '') !== (now[part] ?? ''));
  const written = changed.filter(
    (part) => (now[part] ?? '').trim() !== '' && (isCompared || now[part] !== lastExample[part]),
  );
  const kept = isCompared ? written : [];
  const replaced = changed.filter((part) => !kept.includes(part));
  const isTyped = before.draft.trim() !== '' && before.draft !== draft;
  const replacedNames = [
    ...(isTyped ? ['message'] : []),
    ...written.filter((part) => !kept.includes(part)).map((part) => PARTS[part]),
  ];
  renewFields([paneId]);
  const step = (desk: Desk): Desk => ({ ...changeSettings(desk, paneId, pick(wanted, replaced)), draft });
  const undo = (desk: Desk): Desk => {
    const current = findPane(desk, paneId);
    // Texts written since then stay.
    const unchanged = replaced.filter(
      (part) => current !== null && (paneSettings(desk, current)[part] ?? '') === (wanted[part] ?? ''),
    );
    return {
      ...changeSettings(desk, paneId, pick(now, unchanged)),
      ...(isTyped && desk.draft === draft && { draft: before.draft }),
    };
  };
  changeWithUndo(replacedNames.length === 0 ? null : `Replaced: ${replacedNames.join(', ')}.`, step, undo);
  lastExample = {
    systemPrompt: wanted.systemPrompt,
    tools: example.tools.length > 0 ? wanted.tools : lastExample.tools,
  };
  if (kept.length > 0) offer(paneId, pick(wanted, kept), kept.map((part) => PARTS[part]).join(', '));
}

/** Says that the panes keep their settings, and offers those of the example. */
function offer(paneId: string, patch: Settings, names: string): void {
  const isSame = sameSession();
  const onSelect = (): void => {
    const pane = isSame() ? findPane(readDesk(), paneId) : null;
    if (!pane) return;
    const now = pick(paneSettings(readDesk(), pane), Object.keys(patch) as Part[]);
    changeWithUndo(
      `Replaced: ${names}.`,
      (desk) => changeSettings(desk, paneId, patch),
      (desk) => changeSettings(desk, paneId, now),
    );
  };
  showToast(`The example did not change these settings, so that the panes stay comparable: ${names}.`, {
    action: { label: 'Use those of the example', onSelect },
  });
}
