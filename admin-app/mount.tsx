/** Shows the dashboard in its page (src/pages/admin), which has the properties. */
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

const root = document.querySelector<HTMLElement>('#admin');
if (root) createRoot(root).render(<App {...JSON.parse(root.dataset.props ?? '{}')} />);
