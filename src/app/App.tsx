import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { ToastRegion } from '../ui/ToastRegion';
import { TooltipLayer } from '../ui/TooltipLayer';
import { SessionGate } from './SessionGate';
import { toQueryClient } from './queryClient';

/** Everything that the whole page needs once. Base UI may add no <style> elements: the CSP forbids them. */
export function App() {
  const [client] = useState(toQueryClient);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <SessionGate />
        <ToastRegion />
        <TooltipLayer />
      </QueryClientProvider>
    </CSPProvider>
  );
}
