import { hash } from 'node:crypto';
import { basename } from 'node:path';

/** The islands' messages in a page (src/components/Storefront.astro). */
const MESSAGES = /(<script id="messages" type="application\/json")>([\s\S]*?)(?=<\/script>)/;
const ISLAND = /(?<=<astro-island [^>]*?component-url=")([^"]+)(" component-export=")([^"]+)/g;

export interface PageWithLaterMessages {
  readonly html: string;
  /** The module that the page's islands come from; undefined if the page keeps its messages. */
  readonly module?: { readonly name: string; readonly content: string };
}

/**
 * Moves the messages of a page's islands into a module that the first contact imports in place of the islands' own: it
 * puts the messages back into the page and exports the islands. Those before the messages do not use them.
 * @param html with islands that are imported from one folder, where the module's place is, too
 */
export function moveMessages(html: string): PageWithLaterMessages {
  const found = MESSAGES.exec(html);
  if (!found) return { html };
  const [whole, start = '', messages = ''] = found;
  const end = found.index + whole.length;
  const after = html.slice(end);
  const islands = new Map([...after.matchAll(ISLAND)].map(([, url = '', , name = '']) => [name, url]));
  const [first] = islands.values();
  if (first === undefined) return { html };
  const exports = [...islands].map(([name, url]) => `export{${name}}from"./${basename(url)}";`).join('');
  const content = `${exports}document.querySelector("#messages").textContent=JSON.stringify(${messages})`;
  const name = `messages.${hash('sha256', content, 'base64url').slice(0, 8)}.js`;
  const folder = first.slice(0, -basename(first).length);
  return {
    html: `${html.slice(0, found.index)}${start}>${after.replace(ISLAND, (_, _url, middle, one) => `${folder}${name}${middle}${one}`)}`,
    module: { name, content },
  };
}
