import { holdFile } from '../../host/process/holdFile.mts';

// Holds the file that is its argument until it is killed, and says whether it does.
const lock = holdFile(process.argv[2] ?? '');
console.log(lock === undefined ? 'refused' : 'held');
setInterval(() => lock, 1000);
