// Whether small rates are marked as unclear: not where the service says that its rates are absolute.
import { createContext } from 'react';

export const RateMark = createContext(true);
