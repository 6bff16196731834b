import { contrastWarnings } from '../../src/branding/contrast.ts';
import { schemesOf } from '../../src/branding/design-tokens.ts';
import { loadBranding } from '../../src/branding/load-branding.ts';
import { catalogueFile, isSample } from '../../src/catalogue/catalogue-file.ts';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { messageFor } from '../config/report-and-exit.ts';
import { checkAdminHost, type Settings } from '../config/settings.ts';
import { findSiteFacts } from '../manifest/site-facts.ts';
import { isFresh } from '../site-builder/build-hash.ts';
import { hasBuild, prepareCatalogue } from '../site-builder/build-site.ts';
import { DIST } from '../site-builder/live-build.ts';
import { checkBroker } from './check-broker.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface Site {
  readonly findings: readonly Finding[];
  /** Of the catalogue or, while it has mistakes, of the served build. */
  readonly names: readonly string[];
  readonly hosts: readonly string[];
  /** The catalogue's setting; undefined also while it has mistakes. */
  readonly replyWithin?: string | undefined;
}

const catalogueFindings = findingsOf('catalogue');

/** Checks the catalogue as `npm run catalogue -- check` does, and whether the served build is made from it. */
export function checkSite(settings: Settings): Site {
  const build = checkBuild(settings);
  try {
    const catalogue = prepareCatalogue();
    const names = catalogue.domains.map(({ name }) => name);
    const { hosts, replyWithin } = catalogue.settings;
    const catalogueFinding = checkAdmin(settings, names) ?? judgeCatalogue(catalogue);
    return {
      findings: [catalogueFinding, ...checkTheme(catalogue), checkBroker(catalogue), build],
      names,
      hosts,
      replyWithin,
    };
  } catch (error) {
    const message = messageFor(error);
    if (message === undefined) throw error;
    const facts = findSiteFacts(DIST);
    const findings = [catalogueFindings.fail(message), build];
    return { findings, names: [...(facts?.names ?? [])], hosts: facts?.hosts ?? [] };
  }
}

function judgeCatalogue({ domains }: Catalogue): Finding {
  const { ok, warn } = catalogueFindings;
  return isSample(catalogueFile())
    ? warn('It is the sample, whose names are not yours: run npm run catalogue -- init.')
    : ok(`It has no mistakes (${domains.length} names).`);
}

function checkTheme({ settings }: Catalogue): Finding[] {
  const { ok, warn } = findingsOf('theme');
  const warnings = contrastWarnings(loadBranding().tokens, schemesOf(settings.colorScheme));
  return warnings.length > 0 ? warnings.map((line) => warn(line)) : [ok('All text has enough contrast.')];
}

function checkAdmin(settings: Settings, names: readonly string[]): Finding | undefined {
  try {
    checkAdminHost(settings, names);
    return undefined;
  } catch (error) {
    return findingsOf('settings').fail(messageFor(error) ?? String(error));
  }
}

function checkBuild(settings: Settings): Finding {
  const { ok, warn, fail } = findingsOf('build');
  if (!hasBuild()) return fail('There is no complete build: run npm run build.');
  return isCurrent(settings)
    ? ok('The served build is made from the catalogue, the settings and the code.')
    : warn('The served build is older than the catalogue, the settings or the code: run npm run build.');
}

/** False also where the owner's files cannot be read, which the check of the catalogue reports. */
function isCurrent(settings: Settings): boolean {
  try {
    return isFresh(settings);
  } catch (error) {
    if (messageFor(error) === undefined) throw error;
    return false;
  }
}
