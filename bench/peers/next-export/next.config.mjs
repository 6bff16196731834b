import { resolve } from 'node:path';

export default {
  output: 'export',
  trailingSlash: true,
  turbopack: { root: resolve(import.meta.dirname, '../..') },
};
