import type { Schemas } from '../contract/schemas.mts';
import type { DeliveryFault } from '../faults/faults.mts';
import type { Row } from './table.mts';

/** Times in the store are milliseconds since 1970, so that they sort and compare as numbers. */
type Time = number;

export type Variables = Schemas['Variables'];

interface Voice {
	id: number;
	name: string;
	gender: 'female' | 'male';
	language_id: number;
	/** For which modes of assistants it is. */
	modes: Array<Schemas['ModelMode']>;
}

export interface User extends Row {
	token: string;
	/** For people: the service does not show it. */
	name: string | null;
	/** In the account's currency. */
	balance: number;
	/** How many mid call tools the plan allows. */
	tool_quota: number;
	voices: Voice[];
	/** Their names. The position in the list, counted from 1, is the id. */
	languages: string[];
}

/** A record that belongs to one user. */
export interface Owned extends Row {
	user_id: number;
	created_at: Time;
	updated_at: Time;
}

export interface PhoneNumber extends Owned {
	phone_number: string;
	type: Schemas['PhoneNumberRecord']['type'];
	sms_capable: boolean;
	/** Null means never. */
	subscription_expires_at: Time | null;
}

/** How often each scenario happens, in relation to the others: `{ answered: 60, voicemail: 15 }`. */
export interface Mix {
	[scenario: string]: number;
}

/** What a request to create a campaign can choose, beside its name and its assistant. */
type CampaignSettings = Omit<Schemas['CampaignCreate'], 'name' | 'assistant_id'>;

export interface Campaign extends Owned {
	name: string;
	/** Who makes the calls; without one the campaign calls nobody. */
	assistant_id: number | null;
	status: string;
	/** How its calls go for which nothing else chooses the scenario; null: by default. */
	mix: Mix | null;
	/** As it was created; null for one of a seed, which calls as assumed. */
	settings: CampaignSettings | null;
}

/** A built-in tool of an assistant, which no mid call tool is; see contract/newer.yaml. */
interface BuiltInTool {
	type: string;
	[field: string]: unknown;
}

/** What only the newer generation of assistants has; see contract/newer.yaml. */
interface NewerSettings {
	tools: BuiltInTool[];
	llm_model_id: number;
	multimodal_model_id: number;
	ambient_sound: string | null;
	filler_config: Partial<Schemas['Assistant']['filler_config']>;
	knowledgebase_id: number | null;
	knowledgebase_mode: string;
	synthesizer_provider_id: number | null;
	transcriber_provider_id: number | null;
	ringing_time: number;
	max_initial_silence_duration: number | null;
}

/** The writable fields of an assistant, every one of the contract with a value. */
export type AssistantSettings = Omit<Required<Schemas['AssistantFields']>, 'engine_type'> & {
	engine_type: Schemas['ModelMode'];
} & Partial<NewerSettings>;

export interface Assistant extends Owned {
	uuid: string;
	status: Schemas['AssistantStatus'];
	settings: AssistantSettings;
	inbound_webhook_url: string | null;
}

/** The writable fields of a mid call tool, every one with a value. */
export type ToolSettings = Required<Schemas['ToolFields']>;

export interface Tool extends Owned, ToolSettings {}

/** Which mid call tool an assistant uses in a call. */
export interface ToolChoice {
	/** Its name; the first attached one when left out. */
	name?: string | undefined;
	/** Sent as they are; made from the tool's schema when left out. */
	arguments?: Variables | undefined;
}

export interface Lead extends Owned {
	campaign_id: number;
	phone_number: string;
	variables: Variables;
	status: Schemas['LeadStatus'];
	/** Calls made so far that were not answered. */
	attempts: number;
	/** The campaign leaves the lead alone until then; null during a call to it, and for a backup. */
	next_attempt_at: Time | null;
	/** The lead whose secondary contact it is; null for a lead of its own. */
	secondary_of: number | null;
	/** Whether it is called only when the contact before it is not reached. */
	is_backup: boolean;
	/** Set when the lead becomes `created` during a call: it is called again after that call. */
	call_again: boolean;
	/** How calls to this lead go; without one the phone number decides. */
	scenario: string | null;
	/** What a scenario with a tool call uses; null leaves it to the assistant. */
	tool: ToolChoice | null;
	/** What the assistant finds out; null, and values left out, leave it to chance. */
	chosen_values: Variables | null;
}

/** What the service shows of a call, with other fields where it leaves some out; and what is behind it. */
export interface Call
	extends Owned, Omit<Schemas['Call'], keyof Owned | 'campaign_name' | 'recording_url'> {
	assistant_id: number | null;
	campaign_id: number | null;
	campaign_name: string | null;
	lead_id: number | null;
	/** Where the call is in its scenario. */
	scenario: string;
	step: number;
	/** See {@link Lead}. */
	tool: ToolChoice | null;
	chosen_values: Variables | null;
	/** Whether the status is still going to change. */
	running: boolean;
	/** The duration counts from here. `continueCall` moves it after the wait for a tool. */
	answered_at: Time | null;
	input_variables: Variables;
	recording_url: string | null;
	/** What comes some time after the end of the call (assumption: call-result-time). */
	late_result?: LateResult;
}

export interface LateResult {
	transcript: string;
	evaluation: Variables;
	recording_url: string | null;
}

/** As the service shows it. */
export interface Sms extends Owned, Omit<Schemas['SmsMessage'], keyof Owned> {}

export type AttemptCause = 'first' | 'retry' | 'duplicate' | 'replay';

export interface DeliveryAttempt {
	at: string;
	cause: AttemptCause;
	/** Null when no answer came. */
	status: number | null;
	error: string | null;
}

/** A webhook that reports a finished call. */
export type WebhookEvent = 'postCall' | 'inboundCall';

/** What came of a question before a call. */
interface InboundAnswer {
	/** Real milliseconds from the question to the end of the answer. */
	latency_ms: number;
	/** The beginning of its body. */
	body: string;
	/** Null when there are none, because it was late or wrong. */
	variables: Variables | null;
}

export interface Delivery extends Row {
	event: WebhookEvent | 'inboundQuestion';
	call_id: number;
	assistant_id: number;
	url: string;
	/** In the form of the contract. */
	body: Schemas['CallNotification'] | Schemas['InboundQuestion'];
	/** Of a question, when it is over. */
	answer?: InboundAnswer;
	attempts: DeliveryAttempt[];
	/** Pending: an attempt is to come. Cancelled: the webhook was disabled before it could be delivered. */
	state: 'pending' | 'delivered' | 'failed' | 'cancelled';
	next_attempt_at: Time;
	/** Why the next attempt is made. */
	next_cause: AttemptCause;
	/** The rule that hit it. Its effects stay after the rule is gone. */
	fault_rule?: DeliveryFault;
}

/** A request of an assistant to a mid call tool, in the middle of a call. */
export interface ToolRequest extends Row {
	/** When the assistant calls the tool. */
	at: Time;
	call_id: number;
	assistant_id: number;
	tool_id: number;
	tool_name: string;
	method: Schemas['HttpMethod'];
	/** With the arguments, if they are sent in the query. */
	url: string;
	/** They can hold secrets, so no list shows them. */
	headers: Schemas['ToolHeader'][];
	/** Seconds. */
	timeout: number;
	arguments: Variables;
	/** Failed: no whole answer came in time. */
	state: 'pending' | 'answered' | 'failed';
	/** HTTP status; null when no answer came. */
	status: number | null;
	/** The beginning of the answer's body. */
	answer: string;
	/** Real milliseconds from the request to the end of the answer; null while it is pending. */
	latency_ms: number | null;
	/** Why the tool was of no use; null after a 2xx. */
	error: string | null;
}

/** Something that happens later, even if the process is restarted before. */
export interface Timer extends Row {
	due: Time;
	kind: 'advance-call' | 'show-call-result' | 'call-leads';
	/** Id of the call or campaign. */
	subject_id: number;
}
