import { createContext, useContext } from 'react';

interface Logo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** Another one for dark pages. */
  readonly dark?: string;
}

/** The owner's logo; undefined where there is none. */
export const ShownLogo = createContext<Logo | undefined>(undefined);

/** The owner's logo in a heading, in place of the dot. It needs no name: the heading's text stands beside it. */
export function OwnerLogo() {
  const logo = useContext(ShownLogo);
  if (!logo) return null;
  const { src, width, height, dark } = logo;
  return (
    <picture>
      {dark && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
      <img className="logo" src={src} width={width} height={height} alt="" />
    </picture>
  );
}
