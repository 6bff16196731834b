/** Whether a field has the focus, which nothing that arrives may take from it. */
export function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea, select') ?? false;
}
