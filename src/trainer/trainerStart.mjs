// Starts main.ts in a process of its own: Node 20 reads TypeScript only when tsx is registered there.
import { register } from 'tsx/esm/api';

register();
await import('./main.ts');
