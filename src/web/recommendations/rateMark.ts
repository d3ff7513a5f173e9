// Whether small rates are marked as unclear: not where the service says that its rates are absolute.
// It must not know how the mark looks.
import { createContext } from 'react';

export const RateMark = createContext(true);
