/**
 * Components as the HTML of their first rendering, without a browser: what they show of their properties, stores and read data.
 * Effects and events are for the browser tests.
 */
import '../../src/api/settings.stub.ts';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ts from 'typescript';

const OPTIONS = { jsx: ts.JsxEmit.ReactJSX, module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext };
/** What a build replaces. A test sets its options before it renders. */
export const buildOptions: Record<string, unknown> = {};
const data = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

registerHooks({
  resolve(specifier, context, next) {
    if (/\.css\b/.test(specifier)) return { url: data('export default ""'), shortCircuit: true };
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context);
    const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
      compilerOptions: OPTIONS,
    });
    return {
      format: 'module',
      source: `import.meta.env = globalThis.buildOptions; ${outputText}`,
      shortCircuit: true,
    };
  },
});

const listeners = { addEventListener() {}, removeEventListener() {} };
const location = new URL('https://owner.example/admin/dashboard');
process.env.TZ = 'UTC';
/** As much of a browser as modules touch when they are loaded. */
Object.assign(globalThis, {
  buildOptions,
  location,
  window: { ...listeners, location },
  document: { ...listeners, visibilityState: 'visible' },
  // It would keep the process.
  BroadcastChannel: undefined,
  getComputedStyle: () => ({ fontSize: '16px' }),
  matchMedia: () => ({ ...listeners, matches: false }),
});

/** Data that was read, by the key of its query. */
type Read = readonly (readonly [key: readonly unknown[], data: unknown])[];

export function html<P extends object>(Component: ComponentType<P>, props: P, read: Read = []): string {
  return htmlOf(createElement(Component, props), read);
}

/** For a component inside of the contexts that it reads. */
export function htmlOf(node: ReactNode, read: Read = []): string {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false, gcTime: Infinity } } });
  for (const [key, value] of read) client.setQueryData(key, value);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, node));
}

/** The text of HTML as people read it, a line for each block. */
export function textOf(markup: string): string[] {
  const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
  return markup
    .replace(
      /<\/?(?:li|p|h\d|ol|ul|section|div|dt|dd|dl|button|td|form|textarea|label|summary|details)\b[^>]*>/g,
      '\n',
    )
    .replace(/<[^>]+>/g, '')
    .replace(/&(\w+|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
