import type { Page } from '@playwright/test';

/**
 * Translates the page as Chromium does: each text, and each that comes later, goes into two nested `<font>`, and the text
 * node that was there is gone. From then on a change of such a node, which is not shown, is an error of the page.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const translateIn = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      for (let text: Node | null = root; text; text = texts.nextNode())
        if (text instanceof Text) found.push(text);
      for (const text of found) {
        const skipped = 'font, script, style, textarea, option, title, [translate=no]';
        if (!text.data.trim() || !text.parentElement || text.parentElement.closest(skipped)) continue;
        const outer = document.createElement('font');
        outer.append(document.createElement('font'));
        outer.firstElementChild?.append(text.data);
        text.replaceWith(outer);
      }
    };
    const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
    Object.defineProperty(Node.prototype, 'nodeValue', {
      ...nodeValue,
      set(this: Node, value: string | null) {
        if (!this.isConnected) console.error(`“${value}” is not shown: “${this.nodeValue}” is translated.`);
        nodeValue?.set?.call(this, value);
      },
    });
    translateIn(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) translateIn(node);
    }).observe(document.body, { childList: true, subtree: true });
  });
}
