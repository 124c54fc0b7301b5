// Generated from contract/openapi.yaml by `npm run generate`, do not edit.

export interface paths {
    "/user/lead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a lead
         * @description Adds a person to a campaign, on request together with secondary contacts, which become leads of their own. Spends money when the campaign is started, because the lead is called.
         */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a lead
         * @description Changes only the fields that are given. Any field beyond the four is refused with `Invalid fields: <comma-separated field names>`.
         */
        put: operations["updateLead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/campaigns/update-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start or stop a campaign
         * @description A started campaign calls its leads. Starting spends money: every call costs.
         */
        post: operations["updateCampaignStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/assistant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an assistant
         * @description Nine fields are required; the others take defaults. Assistants answer and make calls, which cost money.
         */
        post: operations["createAssistant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/assistant/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update an assistant
         * @description Changes only the fields that are given, with the same rules as on create. `webhook_url` null or `is_webhook_active` false disables the post-call webhook; `is_webhook_active` true with a `webhook_url` enables it.
         */
        put: operations["updateAssistant"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/assistants/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assistants */
        get: operations["listAssistants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/assistants/disable-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the post-call webhook of an assistant
         * @description `is_webhook_active` becomes false and `webhook_url` null. Calls under way finish, recording and data collection go on, and call data stays available through the calls list.
         */
        post: operations["disableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/assistants/enable-inbound-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the inbound webhook of an assistant
         * @description Notifications about completed inbound calls go to the given URL from now on.
         */
        post: operations["enableInboundWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/assistants/disable-inbound-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the inbound webhook of an assistant
         * @description Delivery stops; calls under way finish.
         */
        post: operations["disableInboundWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a mid call tool
         * @description The number of tools per account is limited by the plan.
         */
        post: operations["createTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a mid call tool
         * @description Changes only the fields that are given. Given `headers` replace all headers, a given `schema` replaces the whole schema.
         */
        put: operations["updateTool"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description All filters may be combined.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an SMS
         * @description Spends money: the cost is charged per segment, varies by destination country, and is deducted from the balance. A long message may be split into several segments. The sender must be an SMS-capable number of the user with an active subscription, the balance must cover the cost, and the recipient must be valid.
         */
        post: operations["sendSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    postCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call was completed
         * @description Goes to `webhook_url` of the assistant while `is_webhook_active` is true. With `send_webhook_only_on_completed`, only completed calls are delivered. The result of the delivery is stored in the call's `webhook_response`.
         */
        post: operations["postCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    inboundCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An inbound call was completed
         * @description Goes to `inbound_webhook_url` of the assistant when an inbound call is completed.
         */
        post: operations["inboundCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A time in lead, call and SMS records, `YYYY-MM-DD HH:MM:SS`.
         * @example 2026-03-02 09:30:00
         */
        Timestamp: string;
        /**
         * @description A time in assistant and tool records, ISO 8601 with microseconds and `Z`.
         * @example 2026-03-02T09:30:00.000000Z
         */
        IsoTimestamp: string;
        /**
         * Format: date
         * @description A day, `YYYY-MM-DD`.
         * @example 2026-03-02
         */
        Date: string;
        /**
         * @description A phone number in E.164 format.
         * @example +14155550123
         */
        PhoneNumber: string;
        /**
         * @description A phone number in international format; the service normalises it to E.164.
         * @example +14155550123
         */
        PhoneNumberInput: string;
        /**
         * Format: uri
         * @description A valid URL.
         * @example https://example.com/hook
         */
        WebUrl: string;
        /**
         * @description A string holding a decimal number.
         * @example 0.50
         */
        DecimalString: string;
        /**
         * @description 1 = yes, 0 = no.
         * @enum {integer}
         */
        YesNo: 0 | 1;
        /**
         * @description Custom key/value pairs.
         * @example {
         *       "customer_name": "Ada Moreno",
         *       "email": "ada@example.com"
         *     }
         */
        Variables: {
            [key: string]: unknown;
        };
        /** @description An empty array; there is nothing to return. */
        NoData: unknown[];
        /**
         * @default created
         * @enum {string}
         */
        LeadStatus: "created" | "completed" | "reached-max-retries";
        /** @description Custom key/value pairs about the person. */
        LeadVariables: {
            /** @example Ada Moreno */
            customer_name?: string;
            /** @example ada@example.com */
            email?: string;
        } & {
            [key: string]: unknown;
        };
        LeadCreate: {
            phone_number: components["schemas"]["PhoneNumberInput"];
            /**
             * @description The campaign the lead belongs to.
             * @example 1
             */
            campaign_id: number;
            variables?: components["schemas"]["LeadVariables"];
            /**
             * @description Whether duplicate leads are allowed in the campaign. Spelled exactly so.
             * @default false
             */
            allow_dupplicate?: boolean;
            /** @description Further people, created as leads together with the main lead. */
            secondary_contacts?: {
                phone_number: components["schemas"]["PhoneNumberInput"];
                variables?: components["schemas"]["LeadVariables"];
            }[];
        };
        /** @description Only these four fields are accepted. The refusal, `Invalid fields: …`, names every other field in the order of the body. */
        LeadUpdate: {
            /**
             * @description The new campaign.
             * @example 2
             */
            campaign_id?: number;
            phone_number?: components["schemas"]["PhoneNumberInput"];
            /** @enum {string} */
            status?: "created" | "completed" | "reached-max-retries";
            /** @description Merged into the existing variables, not replacing them. */
            variables?: components["schemas"]["LeadVariables"];
        };
        Lead: {
            /** @example 101 */
            id: number;
            /** @example 1 */
            campaign_id: number;
            phone_number: components["schemas"]["PhoneNumber"];
            variables: components["schemas"]["LeadVariables"];
            status: components["schemas"]["LeadStatus"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            campaign?: components["schemas"]["Campaign"];
            secondary_contacts?: components["schemas"]["SecondaryContact"][];
        };
        /** @description The lead as the create response gives it, with campaign and secondary contacts. */
        CreatedLead: WithRequired<components["schemas"]["Lead"], "campaign" | "secondary_contacts">;
        /** @description A lead created together with the main lead. */
        SecondaryContact: {
            /** @example 102 */
            id: number;
            phone_number: components["schemas"]["PhoneNumber"];
            variables: components["schemas"]["LeadVariables"];
            status: components["schemas"]["LeadStatus"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        Campaign: {
            /** @example 1 */
            id: number;
            /** @example Spring appointments */
            name: string;
        };
        CampaignStatusUpdate: {
            /**
             * @description The campaign to start or stop.
             * @example 1
             */
            campaign_id: number;
            /** @enum {string} */
            action: "start" | "stop";
        };
        AssistantFields: {
            /** @example Reception */
            assistant_name?: string;
            /**
             * @description An existing voice.
             * @example 1
             */
            voice_id?: number;
            /**
             * @description The name of an available language.
             * @example English
             */
            language?: string;
            /**
             * @description The name of the language model.
             * @example gpt-4o-mini
             */
            llm_model?: string;
            /**
             * @description Whether the assistant receives or makes calls; read as `type` `inbound` or `outbound`.
             * @enum {string}
             */
            calls_direction?: "receive" | "make";
            /**
             * @description Read as `mode`.
             * @enum {string}
             */
            engine_type?: "pipeline" | "multimodal";
            /**
             * @description A time zone name in the form Area/City.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description The first message spoken when the call starts.
             * @example Hello, this is the reception. How can I help?
             */
            initial_message?: string;
            /**
             * @description Describes behaviour and personality.
             * @example You are a friendly receptionist.
             */
            system_prompt?: string;
            /** @description A phone number owned by the user; null unassigns it. */
            phone_number_id?: number | null;
            /** @description Mid call tools owned by the user. On update it replaces all assignments; an empty array removes all. */
            tool_ids?: number[];
            /** @enum {string} */
            endpoint_type?: "vad" | "ai";
            endpoint_sensitivity?: number;
            interrupt_sensitivity?: number;
            ambient_sound_volume?: number;
            /** @description Enables post-call evaluation. */
            post_call_evaluation?: boolean;
            /** @description Send webhooks only for completed calls. */
            send_webhook_only_on_completed?: boolean;
            /** @description Include the recording URL in the webhook payload. */
            include_recording_in_webhook?: boolean;
            /** @description Whether the post-call webhook is on. */
            is_webhook_active?: boolean;
            /**
             * Format: uri
             * @description Where post-call notifications go. Required when `is_webhook_active` is true on create; null removes it on update.
             * @example https://example.com/hook
             */
            webhook_url?: string | null;
            use_min_interrupt_words?: boolean;
            min_interrupt_words?: number;
            variables?: components["schemas"]["Variables"];
            /** @description What to extract from the conversation after the call. */
            post_call_schema?: components["schemas"]["PostCallField"][];
            /** @description When and how the assistant ends the call itself. */
            end_call_tool?: {
                description?: string;
            };
            llm_temperature?: number;
            voice_stability?: number;
            voice_similarity?: number;
            speech_speed?: number;
            allow_interruptions?: boolean;
            /** @description Read as `fillers`. */
            filler_audios?: boolean;
            /** @description Seconds. Read as `reengagement_interval`. */
            re_engagement_interval?: number;
            /** @description Seconds. Read as `max_duration`. */
            max_call_duration?: number;
            /** @description Seconds. */
            max_silence_duration?: number;
            end_call_on_voicemail?: boolean;
            /** @description Read as `enable_noise_cancellation`. */
            noise_cancellation?: boolean;
            /** @description Read as `record`. */
            record_call?: boolean;
            /**
             * @description Read as `wait_for_customer`.
             * @enum {string}
             */
            who_speaks_first?: "AI assistant" | "Customer";
        };
        /** @description The nine required fields, and what the optional ones are when they are not given. */
        AssistantCreate: {
            /** @default null */
            phone_number_id?: unknown;
            /** @default [] */
            tool_ids?: unknown;
            /** @default vad */
            endpoint_type?: unknown;
            /** @default 0.5 */
            endpoint_sensitivity?: unknown;
            /** @default 0.5 */
            interrupt_sensitivity?: unknown;
            /** @default 0.5 */
            ambient_sound_volume?: unknown;
            /** @default true */
            post_call_evaluation?: unknown;
            /** @default false */
            send_webhook_only_on_completed?: unknown;
            /** @default false */
            include_recording_in_webhook?: unknown;
            /** @default false */
            is_webhook_active?: unknown;
            /** @default null */
            webhook_url?: unknown;
            /** @default false */
            use_min_interrupt_words?: unknown;
            /** @default 0 */
            min_interrupt_words?: unknown;
            /** @default {} */
            variables?: unknown;
            /** @default [] */
            post_call_schema?: unknown;
            /** @default {} */
            end_call_tool?: unknown;
            /** @default 0.1 */
            llm_temperature?: unknown;
            /** @default 0.7 */
            voice_stability?: unknown;
            /** @default 0.5 */
            voice_similarity?: unknown;
            /** @default 1 */
            speech_speed?: unknown;
            /** @default true */
            allow_interruptions?: unknown;
            /** @default false */
            filler_audios?: unknown;
            /** @default 30 */
            re_engagement_interval?: unknown;
            /** @default 600 */
            max_call_duration?: unknown;
            /** @default 40 */
            max_silence_duration?: unknown;
            /** @default true */
            end_call_on_voicemail?: unknown;
            /** @default true */
            noise_cancellation?: unknown;
            /** @default true */
            record_call?: unknown;
            /** @default AI assistant */
            who_speaks_first?: unknown;
        } & (WithRequired<components["schemas"]["AssistantFields"], "assistant_name" | "voice_id" | "language" | "llm_model" | "calls_direction" | "engine_type" | "timezone" | "initial_message" | "system_prompt"> & unknown);
        /** @description Any of the fields. That an active webhook has a URL depends on the assistant as it is, so this rule is checked against the record. */
        AssistantUpdate: components["schemas"]["AssistantFields"];
        PostCallField: {
            /** @example appointment_made */
            name: string;
            /** @enum {string} */
            type: "string" | "number" | "bool";
            /** @example Whether an appointment was made */
            description: string;
        };
        AssistantSummary: {
            /** @example 1 */
            id: number;
            /** @example Reception */
            name: string;
            status: components["schemas"]["AssistantStatus"];
            type: components["schemas"]["AssistantType"];
            mode: components["schemas"]["AssistantMode"];
        };
        /** @enum {string} */
        AssistantStatus: "active" | "inactive";
        /** @enum {string} */
        AssistantType: "inbound" | "outbound";
        /** @enum {string} */
        AssistantMode: "pipeline" | "multimodal";
        /** @description An assistant as the list returns it. */
        Assistant: {
            /** @example 1 */
            id: number;
            /** @example 1 */
            user_id: number | null;
            /** @example 1 */
            phone_number_id: number | null;
            engine_id: number | null;
            synthesizer_id: number | null;
            transcriber_id: number | null;
            /** @example 1 */
            voice_id: number | null;
            instance_id: number | null;
            flows_platform_id: number | null;
            language_id: number | null;
            transcriber_provider_id: number | null;
            synthesizer_provider_id: number | null;
            llm_model_id: number | null;
            multimodal_model_id: number | null;
            knowledgebase_id: number | null;
            /** @example Reception */
            name: string;
            /** @example English */
            language: string;
            type: components["schemas"]["AssistantType"];
            status: components["schemas"]["AssistantStatus"];
            initial_message: string;
            system_prompt: string;
            /** @example Europe/Berlin */
            timezone: string;
            ambient_sound: string | null;
            uuid: string | null;
            knowledgebase_mode: string | null;
            /** @description Where post-call notifications go. */
            webhook_url: string | null;
            /** @description Where notifications about inbound calls go. */
            inbound_webhook_url: string | null;
            variables: components["schemas"]["Variables"];
            widget_settings: {
                [key: string]: unknown;
            };
            post_call_schema: components["schemas"]["PostCallField"][];
            /** @description The tools available to the assistant. */
            tools: components["schemas"]["Tool"][];
            post_call_evaluation: boolean;
            is_webhook_active: boolean;
            record: boolean;
            allow_interruptions: boolean;
            enable_noise_cancellation: boolean;
            wait_for_customer: boolean;
            send_webhook_only_on_completed: boolean;
            include_recording_in_webhook: boolean;
            fillers: components["schemas"]["YesNo"];
            end_call_on_voicemail: components["schemas"]["YesNo"];
            /** @description Seconds. */
            max_duration: number;
            /** @description Seconds. */
            max_silence_duration: number;
            /** @description Seconds. */
            reengagement_interval: number;
            min_interrupt_words: number;
            endpoint_sensitivity: number;
            interrupt_sensitivity: number;
            llm_temperature: components["schemas"]["DecimalString"];
            voice_stability: components["schemas"]["DecimalString"];
            voice_similarity: components["schemas"]["DecimalString"];
            speech_speed: components["schemas"]["DecimalString"];
            ambient_sound_volume: components["schemas"]["DecimalString"];
            /** @enum {string} */
            endpoint_type: "vad" | "ai";
            mode: components["schemas"]["AssistantMode"];
            filler_config: {
                neutral: string[];
                negative: string[];
                positive: string[];
                question: string[];
            };
            created_at: components["schemas"]["IsoTimestamp"];
            updated_at: components["schemas"]["IsoTimestamp"];
            /** @description Null when not deleted. */
            deleted_at: string | null;
        };
        AssistantReference: {
            /** @example 1 */
            assistant_id: number;
        };
        InboundWebhook: {
            /** @example 1 */
            assistant_id: number;
            /** @description The URL that receives the notifications. */
            webhook_url: components["schemas"]["WebUrl"];
        };
        ToolFields: {
            /**
             * @description Lowercase letters and underscores only, starting with a letter.
             * @example check_calendar
             */
            name?: string;
            /**
             * @description When and how the AI should use the tool.
             * @example Looks up free appointments for a day.
             */
            description?: string;
            endpoint?: components["schemas"]["WebUrl"];
            method?: components["schemas"]["HttpMethod"];
            /** @description Seconds. */
            timeout?: number;
            /** @description Sent with every request to the endpoint. On update it replaces all headers. */
            headers?: components["schemas"]["ToolHeader"][];
            /** @description Parameters that the AI extracts from the conversation. On update it replaces the existing schema. */
            schema?: components["schemas"]["ToolParameter"][];
        };
        ToolCreate: {
            /** @default 10 */
            timeout?: unknown;
            /** @default [] */
            headers?: unknown;
            /** @default [] */
            schema?: unknown;
        } & WithRequired<components["schemas"]["ToolFields"], "name" | "description" | "endpoint" | "method">;
        /** @description Any of the fields. */
        ToolUpdate: components["schemas"]["ToolFields"];
        /** @enum {string} */
        HttpMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        ToolHeader: {
            /** @example X-Api-Key */
            name: string;
            value: string;
        };
        ToolParameter: {
            /**
             * @description Letters and underscores, starting with a letter.
             * @example day
             */
            name: string;
            /** @enum {string} */
            type: "string" | "number" | "boolean";
            /** @example The wanted day */
            description: string;
        };
        Tool: {
            /** @example 1 */
            id: number;
            /** @example check_calendar */
            name: string;
            description: string;
            /**
             * Format: uri
             * @example https://example.com/calendar
             */
            endpoint: string;
            method: components["schemas"]["HttpMethod"];
            /**
             * @description Seconds.
             * @example 10
             */
            timeout: number;
            headers: components["schemas"]["ToolHeader"][];
            schema: components["schemas"]["ToolParameter"][];
            created_at: components["schemas"]["IsoTimestamp"];
            updated_at: components["schemas"]["IsoTimestamp"];
        };
        /** @enum {string} */
        CallStatus: "initiated" | "ringing" | "busy" | "in-progress" | "ended" | "completed" | "ended_by_customer" | "ended_by_assistant" | "no-answer" | "failed";
        /** @enum {string} */
        CallType: "inbound" | "outbound" | "web";
        Call: {
            /** @example 5001 */
            id: number;
            /** @example Reception */
            assistant_name: string;
            /**
             * @description When applicable.
             * @example Spring appointments
             */
            campaign_name?: string;
            type: components["schemas"]["CallType"];
            /**
             * @description Seconds.
             * @example 74
             */
            duration: number;
            /**
             * @description The number used by the assistant.
             * @example +14155550100
             */
            assistant_phone_number: string;
            /** @example +14155550123 */
            client_phone_number: string;
            status: components["schemas"]["CallStatus"];
            transcript: string;
            /** @description Collected during the call. */
            variables: {
                [key: string]: unknown;
            };
            /** @description Performance data. */
            evaluation: {
                [key: string]: unknown;
            };
            /** @description The response from the configured webhook. */
            webhook_response: {
                [key: string]: unknown;
            };
            /**
             * @description The carrier charge.
             * @example 0.02
             */
            carrier_cost: number;
            /**
             * @description All fees included.
             * @example 0.19
             */
            total_cost: number;
            /** @enum {string} */
            answered_by: "human" | "machine" | "unknown";
            /**
             * Format: uri
             * @description Present if available and enabled.
             * @example https://example.com/recordings/5001.mp3
             */
            recording_url?: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        SmsSend: {
            /**
             * @description The id of an SMS-capable phone number of the user.
             * @example 1
             */
            from: number;
            /** @description The recipient. */
            to: components["schemas"]["PhoneNumberInput"];
            /**
             * @description The text.
             * @example Thank you for your call.
             */
            body: string;
        };
        SmsMessage: {
            /** @example 9001 */
            id: number;
            /**
             * @description The sender.
             * @example 1
             */
            phone_number_id: number;
            to: components["schemas"]["PhoneNumber"];
            /** @example Thank you for your call. */
            body: string;
            /** @example 1 */
            user_id: number;
            /** @example 1 */
            segments: number;
            /**
             * @description Per segment.
             * @example 0.05
             */
            segment_price: number;
            /** @example 0.05 */
            total_cost: number;
            /**
             * @description `sent` on success.
             * @example sent
             */
            status: string;
            /** @description The identifier at the telephony provider. */
            sms_sid: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        PageEnvelope: {
            current_page: number;
            /** Format: uri */
            first_page_url: string;
            /** Format: uri */
            last_page_url: string;
            /** Format: uri */
            path: string;
            /** Format: uri */
            next_page_url: string | null;
            /** Format: uri */
            prev_page_url: string | null;
            from: number;
            to: number;
            last_page: number;
            per_page: number;
            total: number;
            links: {
                /** Format: uri */
                url: string | null;
                label: string;
                active: boolean;
            }[];
        };
        AssistantPage: {
            data: components["schemas"]["Assistant"][];
        } & components["schemas"]["PageEnvelope"];
        CallPage: {
            data: components["schemas"]["Call"][];
        } & components["schemas"]["PageEnvelope"];
        /** @description What a webhook delivers about a finished call. */
        CallNotification: {
            /**
             * @description The call id.
             * @example 5001
             */
            id: number;
            /** @example +14155550123 */
            customer_phone: string | null;
            /** @example +14155550100 */
            assistant_phone: string | null;
            /**
             * @description Seconds.
             * @example 74
             */
            duration: number;
            status: components["schemas"]["CallStatus"];
            /** @description Collected during the call, by the names of `post_call_schema`. */
            extracted_variables: {
                [key: string]: unknown;
            };
            /** @description What the assistant knew when the call started. */
            input_variables: {
                [key: string]: unknown;
            };
            transcript: string;
            /**
             * Format: uri
             * @description Only with `include_recording_in_webhook`; null when nothing was recorded.
             * @example https://example.com/recordings/5001.mp3
             */
            recording_url?: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:31:14Z
             */
            finished_at: string;
            /** @description The lead that was called; null when the call belongs to none. */
            lead: {
                /** @example 101 */
                id: number;
                phone_number: components["schemas"]["PhoneNumber"];
                variables: components["schemas"]["Variables"];
                /** @example completed */
                status: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            } | null;
            /** @description The campaign of the lead; null when the call belongs to none. */
            campaign: {
                /** @example 1 */
                id: number;
                /** @example Spring appointments */
                name: string;
                /** @example in-progress */
                status: string;
            } | null;
        };
        Error: {
            message: string;
        };
        ValidationError: {
            /**
             * @description `Validation failed`, or a sentence naming the rule.
             * @example Validation failed
             */
            message: string;
            /** @description Each refused field with its messages. */
            errors: {
                [key: string]: string[];
            };
        };
        /** @description States the plan limit of mid call tools and asks for an upgrade; no `errors`. */
        ToolQuotaReached: {
            message: string;
        };
    };
    responses: {
        /** @description The token is missing or wrong. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    message: "Unauthenticated.";
                };
            };
        };
        /** @description The body is not readable JSON. */
        UnreadableBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the service takes. */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The content type is not `application/json`. */
        NotJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field was refused. */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A query parameter was refused. */
        QueryRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A field was refused. */
        GivenDataInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The assistant does not exist or belongs to another user. */
        AssistantNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    message: "Assistant not found";
                };
            };
        };
        /** @description Too many requests in a short time. */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait before the next request. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @example Too Many Attempts. */
                    message: string;
                    /** @description The same number of seconds. */
                    retry_after?: number;
                };
            };
        };
        /** @description The service failed. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The id of the record. */
        Id: number;
        /** @description Which page, counted from 1. */
        Page: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createLead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadCreate"];
            };
        };
        responses: {
            /** @description The lead was created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default Lead created successfully */
                        message: string;
                        data: components["schemas"]["CreatedLead"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description A field was refused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadUpdate"];
            };
        };
        responses: {
            /** @description The lead was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Lead updated successfully";
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The lead, or the new campaign, does not exist or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        message: "Lead not found" | "Campaign not found";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description A field was refused. Field errors come under `errors`; a phone number that cannot be read and fields that are not allowed are told in `message` alone. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | {
                        message: string;
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    updateCampaignStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignStatusUpdate"];
            };
        };
        responses: {
            /** @description The campaign was started or stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @default Campaign started successfully.
                         * @example Campaign started successfully.
                         * @example Campaign stopped successfully.
                         */
                        message: string;
                        /** @default true */
                        success: boolean;
                        data: {
                            /** @example 1 */
                            campaign_id: number;
                            /**
                             * @description The new status.
                             * @example in-progress
                             * @example stopped
                             */
                            status: string;
                        };
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The campaign does not exist or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Campaign not found";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createAssistant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantCreate"];
            };
        };
        responses: {
            /** @description The assistant was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Assistant created successfully";
                        data: components["schemas"]["AssistantSummary"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            /** @description The service could not create the assistant. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Assistant creation failed";
                    };
                };
            };
        };
    };
    updateAssistant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantUpdate"];
            };
        };
        responses: {
            /** @description The assistant was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Assistant updated successfully";
                        data: components["schemas"]["AssistantSummary"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["AssistantNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            /** @description The service could not update the assistant. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Assistant update failed";
                    };
                };
            };
        };
    };
    listAssistants: {
        parameters: {
            query?: {
                /** @description Records per page. */
                per_page?: number;
                /** @description Which page, counted from 1. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of assistants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            422: components["responses"]["QueryRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantReference"];
            };
        };
        responses: {
            /** @description The webhook is disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Webhook disabled successfully";
                        data: components["schemas"]["NoData"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["AssistantNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["GivenDataInvalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    enableInboundWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboundWebhook"];
            };
        };
        responses: {
            /** @description The inbound webhook is enabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Webhook enabled successfully";
                        data: components["schemas"]["NoData"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["AssistantNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["GivenDataInvalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    disableInboundWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantReference"];
            };
        };
        responses: {
            /** @description The inbound webhook is disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Inbound webhook disabled successfully";
                        data: components["schemas"]["NoData"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["AssistantNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["GivenDataInvalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    createTool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolCreate"];
            };
        };
        responses: {
            /** @description The tool was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Tool created successfully";
                        data: components["schemas"]["Tool"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description A field was refused, or the plan allows no further tool. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ToolQuotaReached"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    updateTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolUpdate"];
            };
        };
        responses: {
            /** @description The tool was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Tool updated successfully";
                        data: components["schemas"]["Tool"];
                    };
                };
            };
            400: components["responses"]["UnreadableBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description The tool does not exist or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Tool not found";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description A field was refused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /**
                 * @description Only calls with this status.
                 * @example completed
                 */
                status?: components["schemas"]["CallStatus"];
                /**
                 * @description Only calls of this type.
                 * @example outbound
                 */
                type?: components["schemas"]["CallType"];
                /**
                 * @description Only calls with this client phone number.
                 * @example +4915112345611
                 */
                phone_number?: string;
                /**
                 * @description Only calls of this assistant.
                 * @example 1
                 */
                assistant_id?: number;
                /**
                 * @description Only calls of this campaign.
                 * @example 1
                 */
                campaign_id?: number;
                /**
                 * @description Only calls from this date on, `YYYY-MM-DD`.
                 * @example 2026-02-01
                 */
                date_from?: components["schemas"]["Date"];
                /**
                 * @description Only calls until this date, `YYYY-MM-DD`.
                 * @example 2026-02-28
                 */
                date_to?: components["schemas"]["Date"];
                /** @description Records per page. */
                per_page?: number;
                /** @description Which page, counted from 1. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            422: components["responses"]["QueryRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    sendSms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SmsSend"];
            };
        };
        responses: {
            /** @description The SMS was sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "SMS sent successfully";
                        data: components["schemas"]["SmsMessage"];
                    };
                };
            };
            /** @description A precondition of sending is not met, or the body is not readable JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            /** @description The telephony provider did not take the message. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example Failed to send SMS */
                        message: string;
                        /** @description What the provider answered. */
                        error?: string;
                    };
                };
            };
        };
    };
    postCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallNotification"];
            };
        };
        responses: {
            /** @description The notification was taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    inboundCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallNotification"];
            };
        };
        responses: {
            /** @description The notification was taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
