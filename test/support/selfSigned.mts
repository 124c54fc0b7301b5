import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a TLS server needs. */
interface Certificate {
	key: string;
	cert: string;
}

/** An element of ASN.1 in DER (X.690, 8.1). */
function element(tag: number, ...content: Buffer[]): Buffer {
	const bytes = Buffer.concat(content);
	const { length } = bytes;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

const sequence = (...content: Buffer[]) => element(0x30, ...content);
const utcTime = (year: number) => element(0x17, Buffer.from(`${year % 100}0101000000Z`));

/** Object identifiers: id-at-commonName, ecdsa-with-SHA256. */
const COMMON_NAME = element(0x06, Buffer.from('550403', 'hex'));
const ECDSA_WITH_SHA256 = sequence(element(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

const pem = (label: string, der: Buffer) =>
	`-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`;

/** Who a certificate is for, and who vouches for it. */
interface Names {
	subject: string;
	issuer: string;
}

type KeyPair = ReturnType<typeof newKeys>;

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const nameOf = (text: string) =>
	sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from(text)))));

/** Makes a certificate (RFC 5280, 4.1). Node has no function for it. */
function certificate({ subject, issuer }: Names, { publicKey }: KeyPair, by: KeyPair): string {
	const serial = element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
	const toBeSigned = sequence(
		serial,
		ECDSA_WITH_SHA256,
		nameOf(issuer),
		sequence(utcTime(2020), utcTime(2049)),
		nameOf(subject),
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = element(0x03, Buffer.from([0]), sign('sha256', toBeSigned, by.privateKey));
	return pem('CERTIFICATE', sequence(toBeSigned, ECDSA_WITH_SHA256, signature));
}

const keyOf = ({ privateKey }: KeyPair) =>
	privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Makes a certificate that nobody but itself vouches for. */
export function selfSigned(): Certificate {
	const keys = newKeys();
	const names = { subject: 'localhost', issuer: 'localhost' };
	return { key: keyOf(keys), cert: certificate(names, keys, keys) };
}

/** Makes a certificate as a proxy of a company does: with the one that vouches for it, whose own issuer is unknown. */
export function issuedByUnknown(): Certificate {
	const [keys, middle, root] = [newKeys(), newKeys(), newKeys()];
	const certificates = [
		certificate({ subject: 'localhost', issuer: 'middle' }, keys, middle),
		certificate({ subject: 'middle', issuer: 'root' }, middle, root),
	];
	return { key: keyOf(keys), cert: certificates.join('') };
}
