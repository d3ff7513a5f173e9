import { createRoot } from 'react-dom/client';
import { Page } from './Page.tsx';
import './styles.css';

const root = document.getElementById('root');
if (root) createRoot(root).render(<Page />);
