// Tells when a job of the open project has ended: a message, a number in the page's title while nobody looks, and the
// browser's notification where the person allowed it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isTreeActive } from '#ui/client/polling.ts';
import { projectQuery } from '#ui/client/queries.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { showToast } from '#ui/kit/toast.ts';
import { findJobEnds, toBadgedTitle, toJobStates, type JobStates } from './jobEnds.ts';

function notify(text: string, id: string, onOpen: () => void): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  try {
    const notification = new Notification('Model Studio', { body: text, tag: id });
    notification.addEventListener('click', () => {
      window.focus();
      onOpen();
      notification.close();
    });
  } catch {
    // Some browsers of phones allow it to service workers only. The title and the message remain.
  }
}

/** A message of the tone `bad` stays until somebody closes it. */
const TONES = { good: 'success', stopped: 'neutral', bad: 'error' } as const;

const AWAY_MS = 5000;

const isAway = (): boolean => document.hidden || !document.hasFocus();

/** `onOpen`: shows a job. */
export function useJobEnds(onOpen: (jobId: string) => void): void {
  const client = useQueryClient();
  const { project: id } = useUrlState();
  const { data: project } = useQuery({
    ...projectQuery(id ?? ''),
    enabled: id !== null,
    // The tree itself rests while nobody looks. A training that goes on is worth a request.
    refetchInterval: ({ state: { data } }) => (data && isTreeActive(data) ? AWAY_MS : false),
    refetchIntervalInBackground: true,
  });
  const known = useRef<{ readonly id: string; readonly states: JobStates } | null>(null);
  const unseen = useRef(0);
  const open = useRef(onOpen);
  useEffect(() => {
    open.current = onOpen;
  });
  useEffect(() => {
    if (!project) return;
    const ends = known.current?.id === project.id ? findJobEnds(known.current.states, project) : [];
    known.current = { id: project.id, states: toJobStates(project) };
    // The service computes anew what it recommends after a job.
    if (ends.length > 0) void client.invalidateQueries({ queryKey: ['recommendation'] });
    for (const { job, text, outcome } of ends) {
      const show = (): void => open.current(job.id);
      showToast(text, { tone: TONES[outcome], opener: { label: 'Show the job', onSelect: show } });
      if (!isAway()) continue;
      unseen.current += 1;
      document.title = toBadgedTitle(document.title, unseen.current);
      notify(text, job.id, show);
    }
  }, [project, client]);
  useEffect(() => {
    const look = (): void => {
      if (isAway() || unseen.current === 0) return;
      unseen.current = 0;
      document.title = toBadgedTitle(document.title, 0);
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
