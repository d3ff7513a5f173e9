import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestRecommendation } from '#features/experiments/web/recommendationRequest.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { recommendationQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { showToast } from '#ui/kit/toast.ts';

interface AskButtonProps {
  snapshotId: string;
  /** There is an answer already. */
  isAgain: boolean;
  variant?: 'primary' | 'default' | 'quiet';
}

/** Asks the service for a recommendation. The panel then watches it. */
export function AskButton({ snapshotId, isAgain, variant = 'default' }: AskButtonProps) {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const ask = async () => {
    setSending(true);
    try {
      await requestRecommendation(snapshotId);
      await client.invalidateQueries({ queryKey: recommendationQuery(snapshotId).queryKey });
    } catch (error) {
      const reason = error instanceof ApiFailure ? `${error.message} ${error.hint}` : String(error);
      showToast(`The request was not sent. ${reason}`, { tone: 'bad' });
    }
    setSending(false);
  };
  return (
    <Button
      variant={variant}
      size="small"
      className="print:hidden"
      disabledReason={isSending ? 'The request is being sent.' : null}
      onClick={() => void ask()}
    >
      {isAgain ? 'Ask again' : 'Ask for a recommendation'}
    </Button>
  );
}
