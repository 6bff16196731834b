import { type ComponentType, createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';

/** Hydrates an island of the page (components/Island.astro). */
export function hydrate<Props extends object>(name: string, component: ComponentType<Props>): void {
  const island = document.querySelector<HTMLElement>(`#island-${name}`);
  if (!island?.dataset.props) return;
  const props: Props = JSON.parse(island.dataset.props);
  delete island.dataset.props;
  hydrateRoot(island, createElement(component, props));
}
