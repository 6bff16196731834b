import { domains } from '../catalogue.js';
import { Storefront } from './Storefront.jsx';

export default function Page() {
  return <Storefront domains={domains.slice(0, 12)} />;
}
