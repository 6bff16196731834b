import { domains, shownOn } from '../../../catalogue.js';
import { Storefront } from '../../Storefront.jsx';

export const dynamicParams = false;

export function generateStaticParams() {
  return domains.map(({ name }) => ({ domain: name }));
}

/** The product’s metadata for search engines and shared links. */
export async function generateMetadata({ params }) {
  const { domain } = await params;
  const url = `https://${domain}/`;
  const title = `Own ${domain} Domain`;
  const { description } = shownOn(domain)[0];
  return {
    title,
    description,
    alternates: { canonical: url },
    openGraph: {
      type: 'website',
      title,
      description,
      url,
      locale: 'en_US',
      images: [{ url: `${url}share/home.png`, width: 1200, height: 630, alt: 'Domain names for sale' }],
    },
    twitter: { card: 'summary_large_image' },
    icons: {
      icon: `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text>${domain[0]}</text></svg>`,
    },
  };
}

export default async function Page({ params }) {
  const { domain } = await params;
  const shown = shownOn(domain);
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: domain,
    description: shown[0].description,
    url: `https://${domain}/`,
  };
  return (
    <>
      <script type="application/ld+json">{JSON.stringify(product)}</script>
      <Storefront domains={shown} initial={domain} />
    </>
  );
}
