import { Wrench } from 'lucide-react';
import { useState } from 'react';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { toKeyed, toShownArguments } from './rowText.ts';

/** Longer texts are folded: a row may be a whole book. */
const FOLDED = 2000;

function LongText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > FOLDED * 1.5;
  return (
    <>
      <span className="whitespace-pre-wrap">{isLong && !isOpen ? `${text.slice(0, FOLDED)}…` : text}</span>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="ml-1 min-h-6 rounded px-1 text-accent hover:underline"
        >
          {isOpen ? 'less' : `all ${formatCounted(text.length, 'character')}`}
        </button>
      )}
    </>
  );
}

/** What marks of the file forbid; null: the answer is learnt. */
function toMarkText({ weight, train_detail: details, marks_disagree: isSaid }: RowMessage): string | null {
  if (weight === 0) return isSaid ? 'not learnt: its marks disagree' : 'not learnt';
  return details === undefined ? null : 'learnt in parts';
}

function Message({ message }: { message: RowMessage }) {
  const { role, content, tool_calls: calls = [] } = message;
  const mark = toMarkText(message);
  const thoughts = message.reasoning_content ?? message.thinking ?? '';
  return (
    <li className="flex flex-col gap-1 border-b border-line px-3 py-2 last:border-b-0">
      <p className={`text-sm font-medium ${role === 'assistant' ? 'text-accent' : 'text-soft'}`}>
        {role}
        {message.name !== undefined && <span className="font-normal"> · {message.name}</span>}
        {mark !== null && <span className="font-normal text-soft"> · {mark}</span>}
      </p>
      {thoughts !== '' && (
        <p className="border-l-2 border-line-strong pl-2 text-soft">
          <span className="sr-only">Thoughts: </span>
          <LongText text={thoughts} />
        </p>
      )}
      {content !== null && content !== '' && <LongText text={content} />}
      {content === '' && calls.length === 0 && <p className="text-error">empty</p>}
      {toKeyed(calls).map(({ key, value: call }) => (
        <p key={key} className="font-mono text-sm whitespace-pre-wrap">
          <Wrench aria-label="calls" size={12} className="mr-1 inline" />
          {call.function.name}({toShownArguments(call.function.arguments)})
        </p>
      ))}
    </li>
  );
}

interface RowChatProps {
  row: ChatRow;
  /** What the list of messages is called. */
  label: string;
}

/** The answers of a row for DPO or KTO, each with what it is. */
const toAnswers = ({ chosen, rejected, completion, label }: ChatRow) =>
  [
    { title: 'Preferred answer', isGood: true, messages: chosen },
    { title: 'Rejected answer', isGood: false, messages: rejected },
    {
      title: label === true ? 'Answer that is wanted' : 'Answer that is not wanted',
      isGood: label === true,
      messages: completion,
    },
  ].flatMap(({ messages, ...answer }) => (messages === undefined ? [] : [{ ...answer, messages }]));

/** A row as the chat that it is. */
export function RowChat({ row, label }: RowChatProps) {
  const { messages, tools = [] } = row;
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface">
      <ol aria-label={label}>
        {toKeyed(messages).map(({ key, value }) => (
          <Message key={key} message={value} />
        ))}
      </ol>
      {toAnswers(row).map(({ title, isGood, messages: answer }) => (
        <section key={title} aria-label={title} className="border-t border-line">
          <h4 className={`px-3 pt-2 text-sm font-medium ${isGood ? 'text-success' : 'text-error'}`}>{title}</h4>
          <ol aria-label={`${title} of ${label}`}>
            {toKeyed(answer).map(({ key, value }) => (
              <Message key={key} message={value} />
            ))}
          </ol>
        </section>
      ))}
      {tools.length > 0 && (
        <div className="border-t border-line px-3 py-1">
          <MoreFigures title={formatCounted(tools.length, 'tool')}>
            <ul className="pb-1">
              {toKeyed(tools).map(({ key, value: tool }) => (
                <li key={key} className="text-sm">
                  <code className="font-mono">{tool.function.name}</code>{' '}
                  <span className="text-soft">{tool.function.description}</span>
                </li>
              ))}
            </ul>
          </MoreFigures>
        </div>
      )}
    </div>
  );
}
