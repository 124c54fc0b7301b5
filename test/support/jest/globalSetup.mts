/** The tests run the compiled files of `dist/`. */
export { buildIfStale as default } from '../../../host/n8n/buildIfStale.mts';
