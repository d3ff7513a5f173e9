// Results of calls while they are written: kept while the view changes, not over a reload. It must not know calls.
import { create } from 'zustand';

type Drafts = Readonly<Record<string, string>>;

const useDrafts = create<{ readonly drafts: Drafts }>(() => ({ drafts: {} }));

/** Call ids are unique within one answer only. */
export const draftKey = (answerId: string, callId: string): string => `${answerId} ${callId}`;

export const useResultDrafts = (): Drafts => useDrafts((state) => state.drafts);

/** An empty text forgets the draft. */
export function setResultDraft(key: string, text: string): void {
  useDrafts.setState(({ drafts }) => {
    const { [key]: _old, ...others } = drafts;
    return { drafts: text === '' ? others : { ...others, [key]: text } };
  });
}
