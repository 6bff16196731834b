import { domains, shownOn } from '../../../catalogue.js';
import { Storefront } from '../../Storefront.jsx';

export const dynamicParams = false;

export function generateStaticParams() {
  return domains.map(({ name }) => ({ domain: name }));
}

export async function generateMetadata({ params }) {
  const { domain } = await params;
  return { title: `Own ${domain} Domain`, description: shownOn(domain)[0].description };
}

export default async function Page({ params }) {
  const { domain } = await params;
  return <Storefront domains={shownOn(domain)} initial={domain} />;
}
