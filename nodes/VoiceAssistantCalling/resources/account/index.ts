import { resource } from '../resource';
import { get } from './get.operation';

export const account = resource({ name: 'Account', operations: { get }, default: 'get' });
