import { useInsertionEffect } from 'react';

/** Adds the styles of what is loaded later before its first paint: in the HTML, every page of the dashboard would have them. */
export function useStyles(css: string): void {
  useInsertionEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [css]);
}
