import { canDraw, client, root } from './firstRequests.ts';
import { createRoot } from 'react-dom/client';
import { Page } from './Page.tsx';
import './styles.css';

void canDraw.then(() => root && createRoot(root).render(<Page client={client} />));
