import { createContext, useContext } from 'react';

/**
 * By name, how a person reads it, where that is another text: the page knows it from the catalogue, because a browser
 * cannot decode an `xn--` name. A name that has left the catalogue stays as it is.
 */
export const ShownNames = createContext<Readonly<Record<string, string>>>({});

export function useShownName(name: string): string {
  return useContext(ShownNames)[name] ?? name;
}
