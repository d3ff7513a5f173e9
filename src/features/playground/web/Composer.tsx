import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { FieldProblem } from '#ui/fields/FieldProblem.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { isBusy, panePhase, paneSettings, type Desk } from '#features/playground/web/desk/desk.ts';
import { readDesk, useDesk } from '#features/playground/web/desk/deskStore.ts';
import { focusVariable, MESSAGE_FIELD_ID } from '#features/playground/web/desk/paneFocus.ts';
import { findMissingForRun, findSeedProblem, runObstacle } from '#features/playground/web/desk/paneRequest.ts';
import { SamplesField } from '#features/playground/web/parameters/SamplesField.tsx';
import { neededVariables } from '#features/playground/web/desk/variables.ts';
import { keepEarlyKey, takeEarlyText, useEarlyText, useHandedFocus } from './earlyMessage.ts';
import { isSendKey, isMultilineSendKey } from './sendKey.ts';
import { setDraft, setSettings, setShared, stopAll, setAlone } from '#features/playground/web/desk/actions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { turnRow } from '#features/playground/web/conversation/turnRowCode.ts';
import { Toggle } from '#ui/fields/Toggle.tsx';

/** Whether each message is sent without the ones before it. */
function AloneSwitch() {
  const isAlone = useDesk(({ desk }) => desk.isAlone === true);
  return (
    <span title="Each message is sent without the ones before it: for models that were trained on single questions.">
      <Toggle label="Each message alone" value={isAlone} onChange={setAlone} />
    </span>
  );
}

// Messages rarely have variables.
const VariablesForm = toLazyPart(
  'The fields of variables',
  async () => (await import('#features/playground/web/parameters/VariablesForm.tsx')).VariablesForm,
);

/** Loads the code for the first message early. If that fails, sending reports it. */
const prepare = () =>
  void Promise.all([import('#features/playground/web/sending/runActions.ts'), turnRow.prefetch()]).catch(
    () => undefined,
  );

/** The prompt of the only pane, or the one that linked panes share. */
function toPrompt(desk: Desk): string {
  const [pane, other] = desk.panes;
  return (pane && !other ? paneSettings(desk, pane) : desk.shared).systemPrompt ?? '';
}

/** Writes one message to all panes. */
export function Composer() {
  const ask = useRunAction();
  const draft = useDesk(({ desk }) => desk.draft);
  const onlyPaneId = useDesk(({ desk }) => (desk.panes.length === 1 ? desk.panes[0]?.id : undefined)) ?? null;
  const systemPrompt = useDesk(({ desk }) => toPrompt(desk));
  const count = useDesk(({ desk }) => desk.panes.length);
  const isAnyBusy = useDesk(({ desk }) => desk.panes.some((pane) => isBusy(panePhase(pane))));
  const obstacle = useDesk(({ desk }) => runObstacle(desk));
  const missing = useDesk(({ desk }) => findMissingForRun(desk));
  const variables = useDesk(({ desk }) => neededVariables(desk).join('\n'));
  const [isRunTried, setRunTried] = useState(false);
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const early = useEarlyText();
  const message = useRef<HTMLTextAreaElement>(null);
  useHandedFocus(message);
  useEffect(() => {
    if (isLoaded && early !== '') setDraft(readDesk().draft + takeEarlyText());
  }, [isLoaded, early]);

  const writePrompt = (text: string) =>
    onlyPaneId === null ? setShared({ systemPrompt: text }) : setSettings(onlyPaneId, { systemPrompt: text });
  const [samples, setSamples] = useState(1);
  const [countProblem, setCountProblem] = useState<string | null>(null);
  const problemId = useId();
  const seedProblem = useDesk(({ desk }) => findSeedProblem(desk, samples));
  const blocked = obstacle ?? seedProblem;
  const run = () => {
    setRunTried(missing !== null);
    if (missing !== null) return focusVariable(missing);
    setCountProblem(null);
    void ask((actions, mode) => actions.sendMessage(mode, samples));
  };
  const onRunKey = (event: KeyboardEvent<HTMLTextAreaElement>, isRunKey = isMultilineSendKey) => {
    const { key, shiftKey, ctrlKey, metaKey, keyCode } = event;
    const { isComposing } = event.nativeEvent;
    if (!isRunKey({ key, shiftKey, ctrlKey, metaKey, keyCode, isComposing })) return;
    event.preventDefault();
    if (missing === null && blocked !== null) showToast(blocked, { kind: 'run' });
    else run();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && isAnyBusy && !event.nativeEvent.isComposing) return stopAll();
    return onRunKey(event, isSendKey);
  };
  return (
    <form
      aria-label="Composer"
      onSubmit={(event) => event.preventDefault()}
      className="flex shrink-0 flex-col gap-2 border-t border-line px-3 py-2.5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <TextArea
          label="System prompt"
          isLabelHidden
          rows={1}
          value={systemPrompt}
          onChange={writePrompt}
          readOnly={!isLoaded}
          placeholder="System prompt (optional)"
          className="min-w-60"
        />
        <AloneSwitch />
      </div>
      {variables !== '' && (
        <FeatureBoundary name="The fields of variables" fallback={<Skeleton rows={1} />}>
          <VariablesForm names={variables.split('\n')} isTried={isRunTried} onRunKey={(event) => onRunKey(event)} />
        </FeatureBoundary>
      )}
      <div className="flex items-end gap-2">
        <TextArea
          id={MESSAGE_FIELD_ID}
          label="Message"
          isLabelHidden
          rows={2}
          ref={message}
          value={isLoaded ? draft : early}
          onChange={setDraft}
          onKeyDown={isLoaded ? onKeyDown : keepEarlyKey}
          onFocus={prepare}
          readOnly={!isLoaded}
          placeholder={count > 1 ? `Message all ${count} panes…` : 'Message…'}
        />
        <div className="flex shrink-0 flex-col gap-1.5">
          <span className="flex items-center gap-1.5">
            <SamplesField value={samples} onChange={setSamples} onProblem={setCountProblem} problemId={problemId} />
            <Button onClick={stopAll} disabledReason={isAnyBusy ? null : 'No answer is being generated.'}>
              Stop
            </Button>
          </span>
          <Button variant="primary" onClick={run} disabledReason={missing === null ? blocked : null}>
            Run{' '}
            <kbd aria-hidden className="rounded border border-current/35 px-1 font-mono text-2xs">
              ↵
            </kbd>
          </Button>
        </div>
      </div>
      <FieldProblem id={problemId} message={countProblem ?? seedProblem} />
    </form>
  );
}
