/**
 * Components as the HTML of their first rendering, without a browser: what they show of their properties, stores and read data,
 * and what a press there does. What is rendered after it, and effects, are for the browser tests.
 */
import '../../src/api/settings.stub.ts';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement, type ReactNode } from 'react';
import * as runtime from 'react/jsx-runtime';
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
    const ofRuntime = /^import \{([^}]*)\} from "react\/jsx-runtime";$/m;
    const source = outputText.replace(ofRuntime, (_, names: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = globalThis.recordingRuntime;`;
    });
    return {
      format: 'module',
      source: `import.meta.env = globalThis.buildOptions; ${source}`,
      shortCircuit: true,
    };
  },
});

interface Element {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}
/** Those of the last rendering that are elements of HTML. */
let elements: Element[] = [];

/** React's own, which also notes the elements with their handlers. */
const recording =
  (create: typeof runtime.jsx): typeof runtime.jsx =>
  (type, props, key) => {
    if (typeof type === 'string') elements.push({ type, props: props as Element['props'] });
    return create(type, props, key);
  };

const listeners = { addEventListener() {}, removeEventListener() {} };
const location = new URL('https://owner.example/admin/dashboard');
process.env.TZ = 'UTC';
/** As much of a browser as modules touch when they are loaded. */
Object.assign(globalThis, {
  buildOptions,
  recordingRuntime: { ...runtime, jsx: recording(runtime.jsx), jsxs: recording(runtime.jsxs) },
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
  elements = [];
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

/** Presses a button of the last rendering. One that submits does so to the form around it. */
export function press(name: string): void {
  const isShown = ({ type, props }: Element) =>
    type === 'button' && textOf(renderToStaticMarkup(createElement('p', props))).join(' ') === name;
  const button = elements.findLast(isShown);
  if (button === undefined) throw new Error(`no button ${name}`);
  // An element is made after those inside of it.
  const form = elements.slice(elements.indexOf(button)).find(({ type }) => type === 'form');
  const { onClick, onSubmit } = { ...form?.props, ...button.props };
  const handle = (button.props.type === 'submit' ? onSubmit : onClick) as
    | ((event: object) => void)
    | undefined;
  handle?.({ preventDefault() {} });
}
