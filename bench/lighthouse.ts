/** Lighthouse's four scores (mobile) for every kind of page. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_SWITCHES } from '../tests/support/browser-switches.ts';
import { findBrowser } from '../tests/support/find-browser.ts';
import { copyOfProject, startProductProcess } from '../tests/support/product.ts';
import { makeCatalogue, writeYaml } from './catalogue.ts';
import { buildProject } from './large-project.ts';
import { atLeast, type Row } from './rows.ts';

/** More than MAX_DOMAINS_ON_EVERY_PAGE, so that there are pages of domains. */
const LARGE_CATALOGUE = 100;

const GOALS = new Set(['Performance', 'Accessibility', 'Best Practices', 'SEO']);

export async function measureLighthouse(): Promise<Row[]> {
  const product = await startProductProcess();
  const project = copyOfProject();
  const catalogue = join(project.folder, 'catalogue.yaml');
  writeYaml(catalogue, makeCatalogue(LARGE_CATALOGUE));
  await buildProject({ folder: project.folder, catalogue });
  const large = await startProductProcess({ project: project.folder, env: { CATALOGUE: catalogue } });
  // The 404 page by its file name: Lighthouse rejects a response of status 404.
  const pages: Record<string, string> = {
    home: `${product.origin}/`,
    'domain page': `${product.origin}/sites/lap.app/`,
    'German page': `${product.origin}/de/sites/lap.app/`,
    'page of domains': `${large.origin}/domains/`,
    404: `${product.origin}/404.html`,
    login: `${product.origin}/admin/login/`,
  };
  try {
    const rows: Row[] = [];
    for (const [name, url] of Object.entries(pages)) rows.push(...rowsOf(name, await audit(url)));
    return rows;
  } finally {
    await Promise.all([product.stop(), large.stop()]);
    project.remove();
  }
}

interface Report {
  readonly categories: Record<
    string,
    { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  readonly audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string }>;
}

async function audit(url: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const file = join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    [
      'bench/node_modules/lighthouse/cli/index.js',
      url,
      '--output=json',
      `--output-path=${file}`,
      '--quiet',
      '--no-enable-error-reporting',
      `--chrome-flags=${BROWSER_SWITCHES.join(' ')}`,
    ],
    { stdio: 'inherit', env: { ...process.env, CHROME_PATH: findBrowser() } },
  );
  const code = await new Promise((done) => child.once('exit', done));
  if (code !== 0) throw new Error(`Lighthouse ended with ${code} for ${url}`);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(folder, { recursive: true });
  return report;
}

function rowsOf(page: string, { categories, audits }: Report): Row[] {
  return Object.values(categories)
    .filter(({ score, auditRefs }) => score !== null || auditRefs.length > 0)
    .map(({ title, score, auditRefs }) => {
      const failed = auditRefs
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${id} (${audits[id]?.title})`);
      return {
        area: 'lighthouse',
        what: `${page}: ${title}`,
        ours: Math.round((score ?? Number.NaN) * 100),
        // Newer categories have no goal.
        ...(GOALS.has(title) ? { goal: atLeast(100) } : {}),
        ...(failed.length > 0 ? { note: failed.join('; ') } : {}),
      };
    });
}
