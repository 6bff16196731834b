export interface PaymentLine {
  label: string;
  value: string;
}

/** A line of bank details: `IBAN: DE00 …`. A longer beginning is a sentence. */
const LINE = /^(?<label>[^:]{1,40}):\s+(?<value>\S.*)$/s;

/**
 * The closing text in its order: lines with a label, as bank details are, and HTML of all else. A list is lines where each
 * item is one, a paragraph where each of at least two lines is.
 */
export function paymentLines(html: string): (string | PaymentLine[])[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  return Array.from(template.content.children, (block) => linesOf(block) ?? block.outerHTML);
}

function linesOf(block: Element): PaymentLine[] | undefined {
  if (block.querySelector('a')) return undefined;
  const texts =
    block.localName === 'ul'
      ? Array.from(block.children, (item) => item.textContent)
      : block.localName === 'p'
        ? block.textContent.split('\n')
        : [];
  if (texts.length === 0 || (block.localName === 'p' && texts.length === 1)) return undefined;
  const lines = texts.flatMap((text) => {
    const { label, value } = LINE.exec(text.trim())?.groups ?? {};
    return label && value ? [{ label, value }] : [];
  });
  return lines.length === texts.length ? lines : undefined;
}
