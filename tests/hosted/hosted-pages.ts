/** The pages for browser tests whose backend plays a hosted project on another origin: browser.ts sets where. */
import { type Product, PUBLIC_KEY, startProduct } from '../support/product.ts';

export interface HostedProjectPlace {
  /** http://localhost:PORT */
  readonly origin: string;
  readonly dataDir: string;
}

/** Undefined in the usual browser tests. */
export const HOSTED_PROJECT: HostedProjectPlace | undefined = process.env.HOSTED_PROJECT
  ? JSON.parse(process.env.HOSTED_PROJECT)
  : undefined;

/** Settings of a build for it; empty in the usual browser tests. */
export function hostedSettings(): Record<string, string> {
  if (HOSTED_PROJECT === undefined) return {};
  return { SUPABASE_URL: HOSTED_PROJECT.origin, SUPABASE_PUBLISHABLE_KEY: PUBLIC_KEY };
}

/** Starts a server of pages alone. The tests' own calls go to the project. */
export async function startPages({ origin, dataDir }: HostedProjectPlace): Promise<Product> {
  const pages = await startProduct({ env: hostedSettings() });
  return { ...pages, dataDir, api: origin };
}
