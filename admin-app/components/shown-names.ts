import { createContext, useContext } from 'react';

/**
 * Decoded names by `xn--` name, from the catalogue, because a browser cannot decode them. Names no longer in the
 * catalogue are shown undecoded.
 */
export const ShownNames = createContext<Readonly<Record<string, string>>>({});

export function useShownName(name: string): string {
  return useContext(ShownNames)[name] ?? name;
}
