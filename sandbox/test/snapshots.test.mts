import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { A_CALL, getCalls, setCampaign } from './support/calls.mts';
import { folderPerTest } from './support/process.mts';
import { getState } from './support/raw.mts';
import { startOwnService, startTestService } from './support/testService.mts';

const service = await startTestService();
const folder = folderPerTest();
const { alice, control } = service;
afterEach(async () => {
	for (const name of await names()) await control.deleteSnapshot(name);
});

const names = async (of = control) => (await of.snapshots()).map(({ name }) => name);

it('goes back to all data, ids and the time, again and again', async () => {
	await alice.post('/user/lead', { campaign_id: 2, phone_number: '+4915112345699' });
	const before = await getState(service);
	const requests = await control.requests();
	const { at } = await control.saveSnapshot('with a lead');
	const calls: unknown[] = [];
	for (let round = 0; round < 2; round += 1) {
		await control.fault({ operation: 'sendSms', status: 500 });
		await setCampaign(service, 'start');
		await control.advance(A_CALL);
		calls.push(await getCalls(alice));
		expect(await getState(service)).not.toEqual(before);
		await control.restoreSnapshot('with a lead');
		expect(await control.requests()).toEqual(requests);
		expect(await getState(service)).toEqual(before);
		expect(await control.faults()).toEqual([]);
		const { body } = await control.request('GET', '/health');
		expect(body).toMatchObject({ now: at });
	}
	expect(calls[0]).not.toEqual([]);
	expect(calls[1]).toEqual(calls[0]);
});

it('lists the newest first, replaces one of the same name, deletes one, and keeps them at a reset', async () => {
	for (const name of ['one', 'Zwei 2', 'one']) await control.saveSnapshot(name);
	expect(await names()).toEqual(['one', 'Zwei 2']);
	await service.reset();
	expect(await names()).toEqual(['one', 'Zwei 2']);
	await control.deleteSnapshot('Zwei 2');
	expect(await names()).toEqual(['one']);
});

it('two of anything at the same moment leave one whole state', async () => {
	await Promise.all([control.saveSnapshot('twice'), control.saveSnapshot('twice')]);
	expect(await names()).toEqual(['twice']);
	const before = await getState(service);
	const save = () => control.saveSnapshot('meanwhile');
	const add = () => alice.post('/user/lead', { campaign_id: 2, phone_number: '+4915112345699' });
	await add();
	await Promise.all([add(), save(), control.restoreSnapshot('twice'), save()]);
	await control.restoreSnapshot('twice');
	await Promise.all([control.restoreSnapshot('twice'), control.restoreSnapshot('twice')]);
	expect(await getState(service)).toEqual(before);
	await control.restoreSnapshot('meanwhile');
	expect((await names()).toSorted()).toEqual(['meanwhile', 'twice']);
});

it('a call goes on from where it was', async () => {
	await control.outbound({ assistant_id: 1, to: '+4915112345699' });
	await control.advance('PT10S');
	await control.saveSnapshot('in a call');
	await control.advance(A_CALL);
	const [ended] = await control.calls();
	await control.restoreSnapshot('in a call');
	expect((await control.calls())[0]?.status).not.toBe(ended?.status);
	await control.advance(A_CALL);
	expect((await control.calls())[0]).toEqual(ended);
});

it('keeps them beside a data file, for the next start', async () => {
	const dataFile = join(folder(), 'state.db');
	const clock = 'manual';
	{
		await using first = await startOwnService({ dataFile, clock });
		await first.control.saveSnapshot('before');
		await first.control.outbound({ assistant_id: 1, to: '+4915112345699' });
	}
	await using second = await startOwnService({ dataFile, clock });
	expect(await names(second.control)).toEqual(['before']);
	expect(await second.control.calls()).not.toEqual([]);
	await second.control.restoreSnapshot('before');
	expect(await second.control.calls()).toEqual([]);
});

it.each([
	['a name with a slash', 'POST', '/snapshots', { name: 'a/b' }, 422],
	['an empty name', 'POST', '/snapshots', { name: '' }, 422],
	['no name', 'POST', '/snapshots', {}, 422],
	['going back to one that is not there', 'POST', '/snapshots/other/restore', {}, 404],
	['deleting one that is not there', 'DELETE', '/snapshots/other', undefined, 404],
])('refuses %s, and changes nothing', async (_, method, path, body, status) => {
	const before = await getState(service);
	expect((await control.request(method, path, body)).status).toBe(status);
	expect(await names()).toEqual([]);
	expect(await getState(service)).toEqual(before);
});

it('keeps up to 50', async () => {
	await using own = await startOwnService();
	for (let count = 0; count < 50; count += 1) await own.control.saveSnapshot(`number ${count}`);
	await expect(own.control.saveSnapshot('one more')).rejects.toThrow('no more fit');
	await own.control.saveSnapshot('number 7');
	expect(await names(own.control)).toHaveLength(50);
});
