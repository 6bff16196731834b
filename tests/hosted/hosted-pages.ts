/** The pages for browser tests whose backend plays a hosted project on another origin: browser.ts sets where. */
import { copyOfBuiltProject, type Product, startProduct } from '../support/product.ts';

export interface HostedProjectPlace {
  /** http://127.0.0.1:PORT */
  readonly origin: string;
  /** Leads the tests' own calls to the project. */
  readonly dataDir: string;
  readonly settings: Record<string, string>;
}

/** Undefined in the usual browser tests. */
export const HOSTED_PROJECT: HostedProjectPlace | undefined = process.env.HOSTED_PROJECT
  ? JSON.parse(process.env.HOSTED_PROJECT)
  : undefined;

/** Builds pages for the project, and starts a server of them alone. The tests' own calls go to the project. */
export async function startPages({ origin, dataDir, settings }: HostedProjectPlace): Promise<Product> {
  const copy = copyOfBuiltProject();
  const pages = await startProduct({ project: copy.folder, env: settings });
  const stop = async () => {
    await pages.stop();
    copy.remove();
  };
  return { ...pages, dataDir, api: origin, stop };
}
