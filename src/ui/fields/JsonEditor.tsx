import type { Diagnostic } from '@codemirror/lint';
import { useEffect, useRef } from 'react';
import { openEditor, type OpenEditor } from './codeMirror.ts';

interface JsonEditorProps {
  /** The editor's accessible name. */
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string;
  /** Problems besides broken syntax, which the editor finds itself. */
  diagnose?: (text: string) => readonly Diagnostic[];
  /** The editor takes the focus when it loads, because a person asked for it. */
  hasFocus?: boolean;
}

const NO_PROBLEMS = (): readonly Diagnostic[] => [];

/** A JSON editor with colours, bracket matching and underlined problems. Load it lazily. */
export function JsonEditor({
  label,
  value,
  onChange,
  placeholder = '',
  diagnose = NO_PROBLEMS,
  hasFocus = false,
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor>(null);
  const latest = useRef({ onChange, diagnose, value });
  useEffect(() => {
    latest.current = { onChange, diagnose, value };
    editor.current?.setText(value);
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const opened = openEditor(host.current, {
      label,
      text: latest.current.value,
      placeholder,
      onChange: (text) => latest.current.onChange(text),
      diagnose: (text) => latest.current.diagnose(text),
    });
    editor.current = opened;
    // A dialog that opens at the same moment moves the focus first.
    if (hasFocus) queueMicrotask(() => editor.current?.focus());
    return () => {
      editor.current = null;
      opened.close();
    };
  }, [label, placeholder, hasFocus]);
  return (
    <div
      ref={host}
      className="min-w-0 rounded-md border border-line-strong focus-within:border-accent hover:border-faint"
    />
  );
}
