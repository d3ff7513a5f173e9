// A JSON editor in a shadow root: CodeMirror's styles go into constructed sheets there, which the content security
// policy allows without a nonce. Heavy: only lazily loaded files may import it.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface EditorOptions {
  readonly label: string;
  readonly text: string;
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
  /** A problem besides syntax; positions are offsets. */
  readonly diagnose: (text: string) => readonly Diagnostic[];
}

export interface OpenEditor {
  /** Replaces the text; an equal text changes nothing. */
  readonly setText: (text: string) => void;
  readonly focus: () => void;
  readonly close: () => void;
}

const LINT_DELAY_MS = 250;

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--success)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--deploying)' },
  { tag: tags.punctuation, color: 'var(--soft)' },
]);

const THEME = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    fontSize: '12px',
    maxHeight: '22rem',
    borderRadius: '6px',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    lineHeight: '1.5',
    overflow: 'auto',
  },
  '.cm-content': { minHeight: '5rem', padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--selected) !important' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    maxWidth: '28rem',
  },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--error)' },
});

/**
 * Handles text typed over a selection. The browser would keep the old text's colour as an inline style, which the
 * policy refuses.
 */
const TYPE_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || view.composing || view.state.selection.main.empty)
      return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** Opens an editor in `host`, which must not contain one yet. Tab leaves it, as it leaves every field. */
export function openEditor(
  host: HTMLElement,
  { label, text, placeholder: hint, onChange, diagnose }: EditorOptions,
): OpenEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parse = jsonParseLinter();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        json(),
        syntaxHighlighting(COLOURS),
        EditorState.tabSize.of(2),
        EditorView.lineWrapping,
        // It is focusable anyway, but accessibility checkers look for a tabindex.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        TYPE_OVER,
        placeholder(hint),
        linter(
          (editor) => {
            const written = editor.state.doc.toString();
            if (written.trim() === '') return [];
            const broken = parse(editor);
            return broken.length > 0 ? broken : [...diagnose(written)];
          },
          { delay: LINT_DELAY_MS },
        ),
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        THEME,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(next) {
      const now = view.state.doc.toString();
      if (next !== now) view.dispatch({ changes: { from: 0, to: now.length, insert: next } });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
