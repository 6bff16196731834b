/** Makes a data folder as the first start does: `node boot-data-folder.ts PATH`. */
import { EMBEDDED_PUBLISHABLE_KEY } from '../../node/config/settings.ts';
import { takeDataFolder } from '../../node/embedded-backend/data-folder.ts';
import { openDatabase } from '../../node/embedded-backend/open-database.ts';

const folder = await takeDataFolder(process.argv[2] ?? '');
const database = await openDatabase(folder, { ...folder.secrets, publishableKey: EMBEDDED_PUBLISHABLE_KEY });
await database.close();
folder.release();
