import { domains } from '../catalogue.js';
import { Storefront } from './Storefront.jsx';

export const metadata = {
  title: 'Own a Premium Domain',
  description: 'Choose a name and make an offer.',
  icons: { icon: 'data:,' },
};

export default function Page() {
  return <Storefront domains={domains.slice(0, 12)} />;
}
