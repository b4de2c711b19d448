/** The records of the HTTP API, as they are on the wire: made from the contract by ClientFiles.test.ts. */

export interface AcceptedSignInLink {
  /** Text of the link: what follows `#link=`. */
  readonly token: string
  /** New password; 12 to 1024 characters. */
  readonly password: string
  /** Name of the person; 1 to 255 characters. */
  readonly name?: string | null | undefined
  /** Email address of the first owner; it is required with `setup` and ignored otherwise. */
  readonly email?: string | null | undefined
}

export interface Account {
  /** Id of the account. */
  readonly id: string
  /** Name of the account. */
  readonly name: string
  /** Plan of the account. */
  readonly plan: "free" | "starter" | "pro" | "enterprise"
  /** Status of the account: one that is not active may do nothing. */
  readonly status: "active" | "inactive" | "terminated"
  /** What is turned on for the account. */
  readonly features: {
    /** Whether the account has campaigns and places calls. */
    readonly voice_campaigns: boolean
  }
  /** Whether the account can be charged. */
  readonly payment_method: "verified" | "grace" | "missing"
  /** End of the grace period of the payment method; null without one. */
  readonly payment_deadline: string | null
  /** Credits of the account. */
  readonly credits: {
    /** All credits that the account has. */
    readonly balance: number | "Infinity" | "-Infinity" | "NaN"
    /** Credits that calls and requests under way have reserved. */
    readonly reserved: number | "Infinity" | "-Infinity" | "NaN"
    /** Credits that can still be spent: the balance less what is reserved. */
    readonly available: number | "Infinity" | "-Infinity" | "NaN"
  }
  /** Credits that the account may spend in a calendar month of UTC; null without a budget. */
  readonly monthly_budget: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Credits that the account has spent in the present calendar month of UTC. */
  readonly monthly_spent: number | "Infinity" | "-Infinity" | "NaN"
  /** Price of a minute of a call in credits; null where nothing places calls. */
  readonly call_credits_per_minute: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface ApiKey {
  /** Id of the record. */
  readonly id: string
  /** Name to recognise the key by; 1 to 255 characters, null without one. */
  readonly name: string | null
  /** First characters of the key, to recognise it by. */
  readonly prefix: string
  /** `active`, `expired` from its expiry on, or `revoked`. */
  readonly state: "active" | "expired" | "revoked"
  /** What the key may do on the platform's routes; `*` stands for all that keys can have. */
  readonly scopes: ReadonlyArray<string>
  /** Services of `/v1/*` that the key may use. */
  readonly permissions: ReadonlyArray<"llm" | "stt" | "tts" | "image" | "search">
  /** Credits that the key may spend in the period of its budget; null for no limit. */
  readonly budget: number | "Infinity" | "-Infinity" | "NaN" | null
  /** `total` for the key's lifetime, or `month` for each calendar month of UTC; `total` by default. */
  readonly budget_period: "total" | "month"
  /** Credits that were spent in the period of the budget; without a budget in the key's lifetime. */
  readonly spent: number | "Infinity" | "-Infinity" | "NaN"
  /** Ids of the models that the key may use; null for all. */
  readonly models: ReadonlyArray<string> | null
  /** Hosts of pages that may use the key in a browser; null for all. `*.example.com` covers subdomains. */
  readonly domains: ReadonlyArray<string> | null
  /** Search providers that the key may use; null for all. */
  readonly search_providers: ReadonlyArray<string> | null
  /** Largest number of requests in a minute; null for the plan's. */
  readonly rpm: number | null
  /** Largest number of requests under way; null for the plan's. */
  readonly concurrency: number | null
  /** Instant from which on the key does not work; null for never. */
  readonly expires_at: string | null
  /** Instant at which the key was revoked; null for a key that was not. */
  readonly revoked_at: string | null
  /** Instant of the latest request with the key, to a minute; null before the first one. */
  readonly last_used_at: string | null
  /** First characters of the key before the last rotation, while it works; else null. */
  readonly previous_prefix: string | null
  /** Instant until which the key before the last rotation works; null where it does not. */
  readonly previous_until: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Who made the key: `user:<subject>`, or `operator`. */
  readonly created_by: string
}

export interface ApiKeyChange {
  /** Name to recognise the key by; 1 to 255 characters, null without one. */
  readonly name?: string | null | undefined
  /** What the key may do on the platform's routes; `*` stands for all that keys can have. */
  readonly scopes?:
    | ReadonlyArray<
        | "campaigns:read"
        | "campaigns:write"
        | "calls:read"
        | "calls:write"
        | "contacts:read"
        | "contacts:write"
        | "messaging:read"
        | "messaging:write"
        | "messaging:send"
        | "webhooks:write"
        | "email:read"
        | "email:write"
        | "usage:read"
        | "*"
      >
    | undefined
  /** Services of `/v1/*` that the key may use. */
  readonly permissions?: ReadonlyArray<"llm" | "stt" | "tts" | "image" | "search"> | undefined
  /** Credits that the key may spend in the period of its budget; null for no limit. */
  readonly budget?: number | "Infinity" | "-Infinity" | "NaN" | null | undefined
  /** `total` for the key's lifetime, or `month` for each calendar month of UTC; `total` by default. */
  readonly budget_period?: "total" | "month" | undefined
  /** Ids of the models that the key may use; null for all. */
  readonly models?: ReadonlyArray<string> | null | undefined
  /** Hosts of pages that may use the key in a browser; null for all. `*.example.com` covers subdomains. */
  readonly domains?: ReadonlyArray<string> | null | undefined
  /** Search providers that the key may use; null for all. */
  readonly search_providers?: ReadonlyArray<string> | null | undefined
  /** Largest number of requests in a minute; null for the plan's. */
  readonly rpm?: number | null | undefined
  /** Largest number of requests under way; null for the plan's. */
  readonly concurrency?: number | null | undefined
  /** Instant from which on the key does not work; null for never. */
  readonly expires_at?: string | null | undefined
}

export interface ApiKeyRotation {
  /** Seconds for which the key before works as well; 0 to 604800, a day by default. */
  readonly overlap_seconds?: number | null | undefined
}

export interface ApiKeyWithText {
  /** Id of the record. */
  readonly id: string
  /** Name to recognise the key by; 1 to 255 characters, null without one. */
  readonly name: string | null
  /** First characters of the key, to recognise it by. */
  readonly prefix: string
  /** `active`, `expired` from its expiry on, or `revoked`. */
  readonly state: "active" | "expired" | "revoked"
  /** What the key may do on the platform's routes; `*` stands for all that keys can have. */
  readonly scopes: ReadonlyArray<string>
  /** Services of `/v1/*` that the key may use. */
  readonly permissions: ReadonlyArray<"llm" | "stt" | "tts" | "image" | "search">
  /** Credits that the key may spend in the period of its budget; null for no limit. */
  readonly budget: number | "Infinity" | "-Infinity" | "NaN" | null
  /** `total` for the key's lifetime, or `month` for each calendar month of UTC; `total` by default. */
  readonly budget_period: "total" | "month"
  /** Credits that were spent in the period of the budget; without a budget in the key's lifetime. */
  readonly spent: number | "Infinity" | "-Infinity" | "NaN"
  /** Ids of the models that the key may use; null for all. */
  readonly models: ReadonlyArray<string> | null
  /** Hosts of pages that may use the key in a browser; null for all. `*.example.com` covers subdomains. */
  readonly domains: ReadonlyArray<string> | null
  /** Search providers that the key may use; null for all. */
  readonly search_providers: ReadonlyArray<string> | null
  /** Largest number of requests in a minute; null for the plan's. */
  readonly rpm: number | null
  /** Largest number of requests under way; null for the plan's. */
  readonly concurrency: number | null
  /** Instant from which on the key does not work; null for never. */
  readonly expires_at: string | null
  /** Instant at which the key was revoked; null for a key that was not. */
  readonly revoked_at: string | null
  /** Instant of the latest request with the key, to a minute; null before the first one. */
  readonly last_used_at: string | null
  /** First characters of the key before the last rotation, while it works; else null. */
  readonly previous_prefix: string | null
  /** Instant until which the key before the last rotation works; null where it does not. */
  readonly previous_until: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Who made the key: `user:<subject>`, or `operator`. */
  readonly created_by: string
  /** The key itself, which is shown this once. */
  readonly key: string
}

export interface AuditEntry {
  /** Id of the record. */
  readonly id: string
  /** Instant at which it was done. */
  readonly at: string
  /** Who did it: `key:<id>`, `user:<subject>`, `operator`, or `platform` for what a chat network has said. */
  readonly actor: string
  /** Name of the person or key at the time; null where it is not known. */
  readonly actor_name: string | null
  /** What was done, such as `key.create`. */
  readonly action: string
  /** Id of what it was done to; null where there is none. */
  readonly target_id: string | null
  /** Name of it at the time; null where it is not known. */
  readonly target_name: string | null
}

export interface Batch {
  /** Id of the batch. */
  readonly id: string
  /** Kind of object. */
  readonly object: "batch"
  /** Route that every request is for. */
  readonly endpoint: string
  /** Faults of the input, the first 100; null where it has none. */
  readonly errors: {
    /** Kind of object. */
    readonly object: "list"
    /** The items. */
    readonly data: ReadonlyArray<{
      /** Code of the fault, for programs. */
      readonly code: string
      /** What is wrong, in a sentence. */
      readonly message: string
      /** Line of the input, from 1; null for the whole file. */
      readonly line: number | null
      /** Field of the line that is at fault; null for the whole line. */
      readonly param: string | null
    }>
  } | null
  /** Id of the file with the requests. */
  readonly input_file_id: string
  /** Always `24h`. */
  readonly completion_window: string
  /** Status of the batch. */
  readonly status:
    | "validating"
    | "failed"
    | "in_progress"
    | "finalizing"
    | "completed"
    | "expired"
    | "cancelling"
    | "cancelled"
  /** Id of the file with the answers; null where there is none. */
  readonly output_file_id: string | null
  /** Id of the file with requests that failed or never ran; null where there is none. */
  readonly error_file_id: string | null
  /** Time of creation in Unix seconds. */
  readonly created_at: number
  /** Time from which its requests run. */
  readonly in_progress_at: number | null
  /** Time from which no further request begins. */
  readonly expires_at: number | null
  /** Time from which its files are written. */
  readonly finalizing_at: number | null
  /** Time at which it was completed. */
  readonly completed_at: number | null
  /** Time at which its input was found to be faulty. */
  readonly failed_at: number | null
  /** Time at which it ended because its window was over. */
  readonly expired_at: number | null
  /** Time at which it was asked to be cancelled. */
  readonly cancelling_at: number | null
  /** Time at which it ended because it was cancelled. */
  readonly cancelled_at: number | null
  /** Requests in all, and those that have results. */
  readonly request_counts: {
    /** Requests of the input. */
    readonly total: number
    /** Requests that were answered. */
    readonly completed: number
    /** Requests that were refused or failed. */
    readonly failed: number
  }
  /** Up to 16 texts of the caller's own. */
  readonly metadata: Readonly<Record<string, string>> | null
  /** Tokens of all requests; null before the batch has ended. */
  readonly usage: {
    /** Tokens of the inputs. */
    readonly input_tokens: number
    /** Parts of them. */
    readonly input_tokens_details: {
      /** Tokens that were read from a cache. */
      readonly cached_tokens: number
    }
    /** Tokens of the answers. */
    readonly output_tokens: number
    /** Parts of them. */
    readonly output_tokens_details: {
      /** Tokens of reasoning. */
      readonly reasoning_tokens: number
    }
    /** Tokens in all. */
    readonly total_tokens: number
  } | null
}

export interface BatchList {
  /** Kind of object. */
  readonly object: "list"
  /** The items. */
  readonly data: ReadonlyArray<Batch>
  /** Id of the first batch of the page; null for an empty page. */
  readonly first_id: string | null
  /** Id of the last batch of the page; null for an empty page. */
  readonly last_id: string | null
  /** True when there are batches after the page. */
  readonly has_more: boolean
}

export interface BlockedPeople {
  /** Who is blocked now. */
  readonly blocked: ReadonlyArray<{
    /** The person as the request named it. */
    readonly input: string
    /** The chat platform's id of the person. */
    readonly user_id: string | null
  }>
  /** Whom the chat platform has not blocked, or not let write again. */
  readonly failed: ReadonlyArray<{
    /** The person as the request named it. */
    readonly input: string
    /** The chat platform's code; null where it named none. */
    readonly code: number | null
  }>
}

export interface BlockedPeopleChange {
  /** Phone numbers, or the chat platform's ids of people. */
  readonly users: ReadonlyArray<string>
}

export interface Bot {
  /** Id of the record. */
  readonly id: string
  /** Id of the account. */
  readonly tenant_id: string
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** Kind of agent; default: the word of the messaging channel. */
  readonly type: string
  /** Instructions for the language model; up to 100,000 characters. */
  readonly system_prompt: string | null
  /** Whether the agent answers; default true. */
  readonly is_active: boolean
  /** Settings such as `model`, `greeting` and `language`; up to 256 KiB of JSON. */
  readonly config: Readonly<Record<string, unknown>>
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface BotChange {
  /** Name in lists; 1 to 255 characters. */
  readonly name?: string | undefined
  /** Kind of agent; default: the word of the messaging channel. */
  readonly type?: string | undefined
  /** Instructions for the language model; up to 100,000 characters. */
  readonly system_prompt?: string | null | undefined
  /** Whether the agent answers; default true. */
  readonly is_active?: boolean | undefined
  /** Settings such as `model`, `greeting` and `language`; up to 256 KiB of JSON. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
}

export interface BotTest {
  /** The conversation so far, oldest first; up to 100 messages and 60,000 characters, the last of them the user's. */
  readonly messages: ReadonlyArray<{
    /** `user`: the customer; `assistant`: the agent. */
    readonly role: "user" | "assistant"
    /** Text of the message. */
    readonly content: string
  }>
  /** Instructions to try in the place of those that are stored; null for none. */
  readonly system_prompt?: string | null | undefined
  /** Settings to try in the place of those that are stored. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
}

export interface BotTestAnswer {
  /** The answer. */
  readonly text: string
  /** The answer as the messages of a chat that it would be sent in. */
  readonly parts: ReadonlyArray<string>
  /** What the model has looked up, in order. */
  readonly tools: ReadonlyArray<BotTestTool>
  /** Language model that answered. */
  readonly model: string
  /** Tokens that were read, in all runs of the model. */
  readonly input_tokens: number
  /** Tokens that were written, in all runs of the model. */
  readonly output_tokens: number
  /** Credits that the answer has cost. */
  readonly credits: number | "Infinity" | "-Infinity" | "NaN"
  /** Milliseconds until the answer. */
  readonly latency_ms: number
}

export interface BotTestFinding {
  /** Title of the text that was found. */
  readonly title: string
  /** Part of the text that was found. */
  readonly snippet: string
  /** How much of the question the text has, from 0 to 1. */
  readonly score: number | "Infinity" | "-Infinity" | "NaN"
}

export interface BotTestTool {
  /** Name of the tool. */
  readonly name: string
  /** Arguments of the call. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** What was found, best first. */
  readonly result: ReadonlyArray<BotTestFinding>
  /** What was wrong with the call; null where nothing was. */
  readonly error: string | null
}

export interface Call {
  /** Id of the record. */
  readonly id: string
  /** Campaign that placed the call; null for a single call. */
  readonly campaign_id: string | null
  /** Contact of the campaign. */
  readonly contact_id: string | null
  /** Which attempt to reach the contact this is, from 1. */
  readonly attempt: number | null
  /** Agent that speaks in the call. */
  readonly bot_id: string | null
  /** Number that the call comes from; null for the account's first. */
  readonly from_number_id: string | null
  /** Phone number that the call comes from. */
  readonly from: string | null
  /** Phone number to call; 1 to 64 characters. */
  readonly to: string
  /** Status of the call. */
  readonly status:
    | "queued"
    | "dialing"
    | "ringing"
    | "in_progress"
    | "completed"
    | "busy"
    | "no_answer"
    | "failed"
    | "canceled"
  /** Who answered; null without detection and before its result. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Parallel mode: id that the calls of one parallel dial share. */
  readonly burst_id: string | null
  /** Parallel mode: true for the first call of a parallel dial that was answered. */
  readonly is_winner: boolean
  /** True when a person answered after the winner and was hung up. */
  readonly abandoned: boolean
  /** Carrier of the call. */
  readonly provider: string
  /** The carrier's id of the call. */
  readonly provider_call_id: string | null
  /** Time at which the call was placed. */
  readonly started_at: string
  /** Time at which the call was answered. */
  readonly answered_at: string | null
  /** Time at which the call ended. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end. */
  readonly duration_seconds: number | null
  /** Why the call ended; null while it has not. */
  readonly end_reason:
    | "hangup_remote"
    | "hangup_local"
    | "busy"
    | "no_answer"
    | "failed"
    | "canceled"
    | "do_not_call"
    | "window_closed"
    | "lost_race"
    | "credits"
    | "unknown"
    | null
  /** Voice session of the call's agent; null without one. */
  readonly voice_session_id: string | null
  /** Price of the call. */
  readonly credits: number
  /** Time at which the record was created. */
  readonly created_at: string
  /** What a person has noted of the call; null when nothing was. */
  readonly outcome: CallOutcome | null
}

export interface CallDetails {
  /** Id of the record. */
  readonly id: string
  /** Campaign that placed the call; null for a single call. */
  readonly campaign_id: string | null
  /** Contact of the campaign. */
  readonly contact_id: string | null
  /** Which attempt to reach the contact this is, from 1. */
  readonly attempt: number | null
  /** Agent that speaks in the call. */
  readonly bot_id: string | null
  /** Number that the call comes from; null for the account's first. */
  readonly from_number_id: string | null
  /** Phone number that the call comes from. */
  readonly from: string | null
  /** Phone number to call; 1 to 64 characters. */
  readonly to: string
  /** Status of the call. */
  readonly status:
    | "queued"
    | "dialing"
    | "ringing"
    | "in_progress"
    | "completed"
    | "busy"
    | "no_answer"
    | "failed"
    | "canceled"
  /** Who answered; null without detection and before its result. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Parallel mode: id that the calls of one parallel dial share. */
  readonly burst_id: string | null
  /** Parallel mode: true for the first call of a parallel dial that was answered. */
  readonly is_winner: boolean
  /** True when a person answered after the winner and was hung up. */
  readonly abandoned: boolean
  /** Carrier of the call. */
  readonly provider: string
  /** The carrier's id of the call. */
  readonly provider_call_id: string | null
  /** Time at which the call was placed. */
  readonly started_at: string
  /** Time at which the call was answered. */
  readonly answered_at: string | null
  /** Time at which the call ended. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end. */
  readonly duration_seconds: number | null
  /** Why the call ended; null while it has not. */
  readonly end_reason:
    | "hangup_remote"
    | "hangup_local"
    | "busy"
    | "no_answer"
    | "failed"
    | "canceled"
    | "do_not_call"
    | "window_closed"
    | "lost_race"
    | "credits"
    | "unknown"
    | null
  /** Voice session of the call's agent; null without one. */
  readonly voice_session_id: string | null
  /** Price of the call. */
  readonly credits: number
  /** Time at which the record was created. */
  readonly created_at: string
  /** What a person has noted of the call; null when nothing was. */
  readonly outcome: CallOutcome | null
  /** Whether the newest conversation with an agent has a recording. */
  readonly recording: "none" | "available" | "deleted"
  /** What a model has found out about that conversation; null without one. */
  readonly analysis: Readonly<Record<string, unknown>> | null
}

export interface CallOutcome {
  /** How the call has ended, in the words of who noted it. */
  readonly outcome: string
  /** More about it; null without. */
  readonly note: string | null
  /** Who noted it. */
  readonly by: {
    /** Id of the person or the key. */
    readonly subject: string
    /** Name of the person or the key; null where none is known. */
    readonly name: string | null
  }
  /** Time at which it was noted. */
  readonly at: string
}

export interface Campaign {
  /** Id of the record. */
  readonly id: string
  /** Id of the account. */
  readonly tenant_id: string
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** Status of the campaign. */
  readonly status: "draft" | "scheduled" | "running" | "paused" | "insufficient_balance" | "completed" | "cancelled"
  /** Number of contacts on the list. */
  readonly total_contacts: number
  /** Number of contacts whose status is `done`. */
  readonly completed_contacts: number
  /** Number of contacts whose status is `failed`. */
  readonly failed_contacts: number
  /** IANA time zone of the calling window; default `Asia/Kolkata`. */
  readonly timezone: string
  /** First hour of the day in which calls may be placed; default 9. */
  readonly quiet_hours_start: number
  /** Hour of the day from which on no calls are placed; above the start; default 21. */
  readonly quiet_hours_end: number
  /** Maximum number of attempts for each contact; default 3. */
  readonly max_attempts: number
  /** `preview`: a person approves each call; `power`: one call after the other; `parallel`: several lines at a time; default `power`. */
  readonly dial_mode: "preview" | "power" | "parallel"
  /** Power mode: seconds from one call's start to the next; default 30. */
  readonly pace_seconds: number
  /** Parallel mode: calls at a time; default 1. */
  readonly parallel_lines: number
  /** Whether answering machines are detected; default false. */
  readonly amd_enabled: boolean
  /** Maximum number of calls that are started in one day of the campaign's time zone; default null, for no limit. */
  readonly max_calls_per_day: number | null
  /** Agent that speaks in the calls. */
  readonly bot_id: string | null
  /** Number that the calls come from; null for the account's first. */
  readonly from_number_id: string | null
  /** Time at which a scheduled campaign starts by itself. */
  readonly scheduled_at: string | null
  /** Message to leave on answering machines; null to hang up. */
  readonly voicemail_template_id: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface CampaignChange {
  /** Name in lists; 1 to 255 characters. */
  readonly name?: string | undefined
  /** Agent that speaks in the calls. */
  readonly bot_id?: string | null | undefined
  /** Number that the calls come from; null for the account's first. */
  readonly from_number_id?: string | null | undefined
  /** Message to leave on answering machines; null to hang up. */
  readonly voicemail_template_id?: string | null | undefined
  /** Time at which a scheduled campaign starts by itself. */
  readonly scheduled_at?: string | null | undefined
  /** IANA time zone of the calling window; default `Asia/Kolkata`. */
  readonly timezone?: string | undefined
  /** First hour of the day in which calls may be placed; default 9. From 0 to 23. */
  readonly quiet_hours_start?: number | undefined
  /** Hour of the day from which on no calls are placed; above the start; default 21. From 1 to 24. */
  readonly quiet_hours_end?: number | undefined
  /** Maximum number of attempts for each contact; default 3. From 1 to 5. */
  readonly max_attempts?: number | undefined
  /** `preview`: a person approves each call; `power`: one call after the other; `parallel`: several lines at a time; default `power`. */
  readonly dial_mode?: "preview" | "power" | "parallel" | undefined
  /** Power mode: seconds from one call's start to the next; default 30. From 5 to 3600. */
  readonly pace_seconds?: number | undefined
  /** Parallel mode: calls at a time; default 1. From 1 to 5. */
  readonly parallel_lines?: number | undefined
  /** Whether answering machines are detected; default false. */
  readonly amd_enabled?: boolean | undefined
  /** Maximum number of calls that are started in one day of the campaign's time zone; default null, for no limit. */
  readonly max_calls_per_day?: number | null | undefined
}

export interface CampaignContact {
  /** Id of the record. */
  readonly id: string
  /** Phone number as it was given; 1 to 64 characters. */
  readonly phone: string
  /** Name of the person. */
  readonly name: string | null
  /** Status of the contact. */
  readonly status: "pending" | "approved" | "calling" | "done" | "failed"
  /** Number of attempts that count. */
  readonly attempts: number
  /** Time of the next attempt; null when none is due. */
  readonly next_attempt_at: string | null
  /** Reason why the last attempt failed; null when it did not. */
  readonly last_error:
    | "busy"
    | "no_answer"
    | "machine"
    | "invalid_number"
    | "blocked_number"
    | "do_not_call"
    | "provider_error"
    | "outcome_unknown"
    | "canceled"
    | null
  /** Id of the latest call. */
  readonly call_id: string | null
  /** Who approved the contact: `key:` and the id of a key, or `user:` and a person; null before. */
  readonly approved_by: string | null
  /** Time of the approval; null before. */
  readonly approved_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** What was noted of the latest call; null when nothing was. */
  readonly outcome: CallOutcome | null
  /** Preview mode: who is looking at the contact; null when nobody is. */
  readonly held_by: {
    /** Id of the person or the key. */
    readonly subject: string
    /** Name of the person. */
    readonly name: string | null
  } | null
  /** Preview mode: when others may be shown the contact; null when nobody is looking at it. */
  readonly held_until: string | null
}

export interface CampaignCounts {
  /** Number of contacts on the list. */
  readonly total: number
  /** Number of contacts of each status. */
  readonly by_status: {
    /** Number of contacts whose status is `pending`. */
    readonly pending: number
    /** Number of contacts whose status is `approved`. */
    readonly approved: number
    /** Number of contacts whose status is `calling`. */
    readonly calling: number
    /** Number of contacts whose status is `done`. */
    readonly done: number
    /** Number of contacts whose status is `failed`. */
    readonly failed: number
  }
  /** Number of contacts whose last attempt failed, by the reason. */
  readonly by_last_error: {
    /** Number of contacts whose last attempt failed with `busy`. */
    readonly busy: number
    /** Number of contacts whose last attempt failed with `no_answer`. */
    readonly no_answer: number
    /** Number of contacts whose last attempt failed with `machine`. */
    readonly machine: number
    /** Number of contacts whose last attempt failed with `invalid_number`. */
    readonly invalid_number: number
    /** Number of contacts whose last attempt failed with `blocked_number`. */
    readonly blocked_number: number
    /** Number of contacts whose last attempt failed with `do_not_call`. */
    readonly do_not_call: number
    /** Number of contacts whose last attempt failed with `provider_error`. */
    readonly provider_error: number
    /** Number of contacts whose last attempt failed with `outcome_unknown`. */
    readonly outcome_unknown: number
    /** Number of contacts whose last attempt failed with `canceled`. */
    readonly canceled: number
  }
  /** Number of contacts that somebody is looking at at the preview desk. */
  readonly held: number
  /** Number of contacts that wait and whose next attempt is not later than now. */
  readonly due: number
  /** Time of the earliest next attempt of a contact; null when none waits for one. */
  readonly next_attempt_at: string | null
  /** Number of calls that were answered, by people or machines. */
  readonly answered: number
  /** Number of calls of the campaign. */
  readonly calls: number
}

export interface CampaignDuplicate {
  /** Name in lists; 1 to 255 characters. */
  readonly name?: string | null | undefined
  /** Contacts that the new campaign begins with: `none`, those that have `failed`, or `all`. */
  readonly contacts?: "none" | "failed" | "all" | null | undefined
}

export interface CampaignLive {
  /** Id of the campaign. */
  readonly campaign_id: string
  /** Status of the campaign. */
  readonly status: "draft" | "scheduled" | "running" | "paused" | "insufficient_balance" | "completed" | "cancelled"
  /** `preview`: a person approves each call; `power`: one call after the other; `parallel`: several lines at a time; default `power`. */
  readonly dial_mode: "preview" | "power" | "parallel"
  /** Power mode: seconds from one call's start to the next; default 30. */
  readonly pace_seconds: number
  /** Parallel mode: calls at a time; default 1. */
  readonly parallel_lines: number
  /** Calls that are under way. */
  readonly active_calls: ReadonlyArray<{
    /** Id of the latest call. */
    readonly call_id: string
    /** Id of the contact on this campaign. */
    readonly contact_id: string | null
    /** Phone number as it was given; 1 to 64 characters. */
    readonly phone: string
    /** Name of the person. */
    readonly name: string | null
    /** Status of the campaign. */
    readonly status: "queued" | "dialing" | "ringing" | "in_progress"
    /** Parallel mode: id that the calls of one parallel dial share. */
    readonly burst_id: string | null
    /** Parallel mode: true for the first call of a parallel dial that was answered. */
    readonly is_winner: boolean
    /** Time at which the call was placed. */
    readonly started_at: string
  }>
  /** Preview mode: the first 50 contacts that wait, in dialing order. */
  readonly awaiting_approval: ReadonlyArray<{
    /** Id of the contact on this campaign. */
    readonly contact_id: string
    /** Phone number as it was given; 1 to 64 characters. */
    readonly phone: string
    /** Name of the person. */
    readonly name: string | null
    /** Number of attempts that count. */
    readonly attempts: number
    /** Time at which the record was created. */
    readonly created_at: string
    /** Preview mode: who is looking at the contact; null when nobody is. */
    readonly held_by: {
      /** Id of the person or the key. */
      readonly subject: string
      /** Name of the person. */
      readonly name: string | null
    } | null
    /** Preview mode: when others may be shown the contact; null when nobody is looking at it. */
    readonly held_until: string | null
  }>
  /** Number of all contacts that wait. */
  readonly awaiting_approval_total: number
  /** Why nothing is dialed now; null when nothing is in the way. */
  readonly waiting_for: {
    /** What the campaign waits for. */
    readonly reason:
      | "not_running"
      | "account"
      | "credits"
      | "provider"
      | "window"
      | "daily_limit"
      | "approval"
      | "lines"
      | "pace"
      | "nothing_due"
    /** Time at which it ends, when that is known. */
    readonly until: string | null
  } | null
  /** Parallel mode: share of the calls answered by people in the last 30 days that were hung up, from 0 to 1. */
  readonly abandon_rate: number
}

export interface ChangedFlow {
  /** Whether the chat platform has accepted it. */
  readonly success: boolean
  /** Secret that signs requests to your endpoint, which is not shown again; null where there is no new one. */
  readonly endpoint_secret: string | null
}

export interface Channel {
  /** Kind of the channel. */
  readonly channel: string
  /** True for the channel that numbers are connected to unless another one is named. */
  readonly is_standard: boolean
  /** Time after a customer's message in which free-form messages may be sent; null for no limit. */
  readonly reply_window_seconds: number | null
  /** Characters of one text message. */
  readonly max_text_length: number
  /** Types of messages that can be sent. */
  readonly contents: ReadonlyArray<string>
  /** Bytes of the largest file that can be uploaded; 0 for none. */
  readonly max_file_bytes: number
  /** True where customers see that an answer is being written. */
  readonly typing: boolean
  /** True where customers see which messages were read. */
  readonly read_marks: boolean
  /** True where the channel reports what becomes of a message. */
  readonly statuses: boolean
  /** True where messages that other programs send from the number are received. */
  readonly echoes: boolean
  /** True where the channel's network says whose a number is; elsewhere an id is its first account's for good. */
  readonly proves_numbers: boolean
  /** True where the channel has templates. */
  readonly templates: boolean
}

export interface ChannelConnectionRequest {
  /** Credentials of the number; they are encrypted and never returned. */
  readonly access_token?: string | null | undefined
  /** Settings of the connection, as the channel needs them. */
  readonly settings?: Readonly<Record<string, unknown>> | null | undefined
}

export type ChatCompletion = Readonly<Record<string, unknown>>

export interface ChatCompletionRequest {
  /** Model to use. */
  readonly model: string
  /** Conversation so far. */
  readonly messages: ReadonlyArray<{
    /** Who wrote the message. */
    readonly role: "system" | "developer" | "user" | "assistant" | "tool" | "function"
    readonly [name: string]: unknown
  }>
  /** Most tokens of the answer; default: the model's maximum. */
  readonly max_tokens?: number | null | undefined
  /** Most tokens of the answer, reasoning included. */
  readonly max_completion_tokens?: number | null | undefined
  /** Number of answers; default 1. */
  readonly n?: number | null | undefined
  /** True to get the answer as server-sent events. */
  readonly stream?: boolean | null | undefined
  /** Options of the stream. */
  readonly stream_options?:
    | {
        /** True to get the usage as the last chunk. */
        readonly include_usage?: boolean | null | undefined
        readonly [name: string]: unknown
      }
    | null
    | undefined
  readonly [name: string]: unknown
}

export interface CommerceChange {
  /** Whether customers can put products into a cart. */
  readonly is_cart_enabled?: boolean | undefined
  /** Whether customers see the catalog. */
  readonly is_catalog_visible?: boolean | undefined
}

export interface CommerceSettings {
  /** The chat platform's id of the catalog that customers see; null where it names none. */
  readonly catalog_id: string | null
  /** Whether customers can put products into a cart. */
  readonly is_cart_enabled: boolean | null
  /** Whether customers see the catalog. */
  readonly is_catalog_visible: boolean | null
}

export interface CompatibleBody {
  /** Product of the message. */
  readonly messaging_product: "messaging"
  /** Kind of recipient. Default "individual". */
  readonly recipient_type?: "individual" | "group" | undefined
  /** The customer's phone number. */
  readonly to?: unknown | undefined
  /** The platform's own id of the customer. */
  readonly recipient?: string | undefined
  /** Type of the message. Default "text". */
  readonly type?:
    | "text"
    | "template"
    | "image"
    | "audio"
    | "video"
    | "document"
    | "sticker"
    | "interactive"
    | "location"
    | "contacts"
    | "reaction"
    | undefined
  /** Text message. */
  readonly text?: unknown | undefined
  /** Template message. */
  readonly template?: unknown | undefined
  /** Image. */
  readonly image?: unknown | undefined
  /** Audio. */
  readonly audio?: unknown | undefined
  /** Video. */
  readonly video?: unknown | undefined
  /** Document. */
  readonly document?: unknown | undefined
  /** Sticker. */
  readonly sticker?: unknown | undefined
  /** Buttons, lists and the like. */
  readonly interactive?: unknown | undefined
  /** Location. */
  readonly location?: unknown | undefined
  /** Contact cards. */
  readonly contacts?: unknown | undefined
  /** Reaction. */
  readonly reaction?: unknown | undefined
  /** Marks the message with `message_id` read instead of sending one. */
  readonly status?: "read" | undefined
  /** The chat platform's id of the message to mark as read. */
  readonly message_id?: string | undefined
  /** Shows the customer that an answer is being written. */
  readonly typing_indicator?: Readonly<Record<string, unknown>> | undefined
}

export interface CompatibleMarked {
  /** True when the message was marked as read. */
  readonly success: true
}

export interface CompatibleSent {
  /** Product of the message. */
  readonly messaging_product: "messaging"
  /** Whom the message was sent to. */
  readonly contacts: ReadonlyArray<{
    /** Recipient as it was given. */
    readonly input: string
    /** The chat platform's id of the customer. */
    readonly user_id?: string | undefined
  }>
  /** The message that was sent. */
  readonly messages: ReadonlyArray<{
    /** The chat platform's id of the message. */
    readonly id: string
    /** What the chat platform does with the message. */
    readonly message_status?: string | undefined
  }>
}

export interface CompletedFlow {
  /** What the flow was sent with. */
  readonly token: string | null
  /** The chat platform's id of the flow, where its token was made here. */
  readonly flow_id: string | null
  /** What the customer has filled in; null where that cannot be read. */
  readonly values: Readonly<Record<string, unknown>> | null
}

export interface ConnectedNumber {
  /** Id of the record. */
  readonly id: string
  /** Kind of the channel. */
  readonly channel: string
  /** The chat platform's id of the number. */
  readonly phone_number_id: string
  /** The chat platform's id of the business account. */
  readonly business_account_id: string
  /** Phone number as people read it. */
  readonly display_phone_number: string | null
  /** Agent that answers on the number; null for none. */
  readonly bot_id: string | null
  /** Whether the agent answers; default true. */
  readonly ai_autoreply_enabled: boolean
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
  /** What the chat platform says of the number; null until it has said something. */
  readonly platform: NumberPlatform | null
}

export interface ConnectedNumberChange {
  /** Whether the agent answers; default true. */
  readonly ai_autoreply_enabled?: boolean | undefined
}

export interface Contact {
  /** Id of the record. */
  readonly id: string
  /** Phone number as it was given. */
  readonly phone: string
  /** Full name. */
  readonly name: string | null
  /** First name. */
  readonly first_name: string | null
  /** Last name. */
  readonly last_name: string | null
  /** Email address. */
  readonly email: string | null
  /** Company. */
  readonly company: string | null
  /** Tags, in the order in which they were given. */
  readonly tags: ReadonlyArray<string>
  /** Notes. */
  readonly notes: string | null
  /** True when the person has agreed to be messaged. */
  readonly opted_in: boolean
  /** Further columns of the import, by name. */
  readonly custom: Readonly<Record<string, string>>
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface ContactChange {
  /** Full name. */
  readonly name?: string | null | undefined
  /** First name. */
  readonly first_name?: string | null | undefined
  /** Last name. */
  readonly last_name?: string | null | undefined
  /** Email address. */
  readonly email?: string | null | undefined
  /** Company. */
  readonly company?: string | null | undefined
  /** Tags, in the order in which they were given. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Notes. */
  readonly notes?: string | null | undefined
  /** True when the person has agreed to be messaged. */
  readonly opted_in?: boolean | undefined
  /** Further columns of the import, by name. */
  readonly custom?: Readonly<Record<string, string>> | undefined
}

export interface ContactSegment {
  /** Tags of contacts in the address book; 1 to 50. */
  readonly tags: ReadonlyArray<string>
  /** Whether one of the tags is enough, `any`, or all of them are needed, `all`; default `any`. */
  readonly match?: "any" | "all" | null | undefined
  /** Nobody who has one of these tags is added; at most 50. */
  readonly exclude_tags?: ReadonlyArray<string> | null | undefined
  /** True for people alone who have agreed to be messaged; default false. */
  readonly opted_in?: boolean | null | undefined
  /** True to count without adding anybody; default false. */
  readonly dry_run?: boolean | null | undefined
}

export interface Conversation {
  /** Id of the record. */
  readonly id: string
  /** Id of the connected number. */
  readonly phone_id: string
  /** The chat platform's id of the number. */
  readonly phone_number_id: string
  /** The chat platform's id of the customer. */
  readonly user_id: string | null
  /** Phone number of the customer. */
  readonly phone: string | null
  /** Name of the customer. */
  readonly name: string | null
  /** Agent that answers. */
  readonly bot_id: string | null
  /** Whether the agent answers. */
  readonly ai_autoreply_enabled: boolean
  /** `open` or `ended`. */
  readonly status: "open" | "ended"
  /** Number of the customer's messages after the last read mark and the last message to the customer. */
  readonly unread_count: number
  /** True where the newest message is the customer's and no agent is going to answer it. */
  readonly needs_person: boolean
  /** Who it is assigned to; null for nobody. */
  readonly assigned_to: Person | null
  /** The newest message; null where there is none. */
  readonly last_message: LastMessage | null
  /** Time until which free-form messages may be sent; null when the customer has not written. */
  readonly window_expires_at: string | null
  /** Time of the latest message. */
  readonly last_message_at: string
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface ConversationChange {
  /** Whether the agent answers. */
  readonly ai_autoreply_enabled?: boolean | undefined
  /** Who it is assigned to: an id, `me` or null. Where people sign in here, the id is a member's. */
  readonly assigned_to?: string | null | undefined
  /** True to take the conversation from somebody else. */
  readonly force?: boolean | undefined
}

export interface CountTokensRequest {
  /** Model to use. */
  readonly model: string
  /** Conversation so far. */
  readonly messages: ReadonlyArray<{
    /** Who wrote the message. */
    readonly role: "user" | "assistant" | "system"
    readonly [name: string]: unknown
  }>
  /** System prompt. */
  readonly system?:
    | string
    | ReadonlyArray<{
        /** Kind of part. */
        readonly type: "text"
        /** Text. */
        readonly text: string
        readonly [name: string]: unknown
      }>
    | null
    | undefined
  readonly [name: string]: unknown
}

export interface CreatedFlow {
  /** The chat platform's id of the flow. */
  readonly id: string
  /** What the chat platform has found wrong in the screens. */
  readonly validation_errors: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Secret that signs requests to your endpoint, which is not shown again; null where there is no new one. */
  readonly endpoint_secret: string | null
}

export interface DeletedFile {
  /** Id of the file. */
  readonly id: string
  /** Kind of object. */
  readonly object: "file"
  /** True. */
  readonly deleted: true
}

export interface DeletedResponse {
  /** Id of the item, or of the response. */
  readonly id: string
  /** Kind of object, for client libraries. */
  readonly object: "response"
  /** True. */
  readonly deleted: true
}

export interface DeliveryCounts {
  /** First instant of the interval. */
  readonly start: string
  /** Number of messages that the chat platform has accepted. */
  readonly sent: number
  /** Number of messages that were delivered, read ones included. */
  readonly delivered: number
  /** Number of messages that were read. */
  readonly read: number
  /** Number of messages that have failed. */
  readonly failed: number
  /** Number of messages of customers; with `campaign_id` of replies to the campaign. */
  readonly received: number
  /** Failed messages by code, the most frequent first, at most 20. */
  readonly failures: ReadonlyArray<{
    /** The chat platform's code; null where there is none. */
    readonly code: number | null
    /** How many. */
    readonly count: number
  }>
}

export interface DiarizedTranscript {
  /** What was done. */
  readonly task: "transcribe" | "translate"
  /** Seconds that were charged. */
  readonly duration: number
  /** The transcript. */
  readonly text: string
  /** Parts of the transcript by speaker; empty where the model does not distinguish them. */
  readonly segments: ReadonlyArray<{
    /** Kind of part. */
    readonly type: "transcript.text.segment"
    /** Id of the segment. */
    readonly id: string
    /** Speaker of the segment. */
    readonly speaker: string
    /** Start of the segment in seconds. */
    readonly start: number | "Infinity" | "-Infinity" | "NaN"
    /** End of the segment in seconds. */
    readonly end: number | "Infinity" | "-Infinity" | "NaN"
    /** The transcript. */
    readonly text: string
  }>
}

export interface DiscoveredNumber {
  /** The chat platform's id of the number. */
  readonly phone_number_id: string
  /** Phone number as people read it. */
  readonly display_phone_number: string | null
  /** Name that customers see. */
  readonly verified_name: string | null
  /** How customers take the messages of the number. */
  readonly quality_rating: string | null
  /** Status of the number, in the chat platform's words. */
  readonly status: string | null
  /** Whether this account has connected the number. */
  readonly connected: boolean
}

export interface DoNotCallEntry {
  /** Id of the record. */
  readonly id: string
  /** Phone number as it was given; 1 to 64 characters. */
  readonly phone: string
  /** Why the number is on the list; up to 500 characters. */
  readonly reason: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface DoNotCallImportReport {
  /** True to report without a change; default true. */
  readonly dry_run: boolean
  /** Number of rows in the file. */
  readonly total_rows: number
  /** Number of entries that were added. */
  readonly added: number
  /** Number of entries that were not added: they are on the list already, or cannot be dialed. */
  readonly skipped: number
  /** Number of phone numbers that cannot be dialed. */
  readonly skipped_invalid: number
  /** The first 100 faults. */
  readonly errors: ReadonlyArray<{
    /** Row as a spreadsheet counts it: the header is row 1. */
    readonly row: number
    /** Field that is at fault. */
    readonly field: string
    /** What is wrong, in a sentence. */
    readonly message: string
  }>
  /** Number of entries on the list now. */
  readonly total_now: number
}

export interface EmailSuppression {
  /** Id of the record. */
  readonly id: string
  /** Email address. */
  readonly email: string
  /** Why the address is on the list. */
  readonly reason: "bounced" | "complained"
  /** What the mail service reported. */
  readonly detail: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface EmailWebhook {
  /** Id of the record. */
  readonly id: string
  /** URL of the endpoint; up to 2048 characters. */
  readonly url: string
  /** What the webhook is for; up to 255 characters. */
  readonly description: string | null
  /** Names of the events to send; null or empty for every event. */
  readonly events: ReadonlyArray<string> | null
  /** First characters of the secret. */
  readonly secret_prefix: string
  /** False while the webhook is paused. */
  readonly is_active: boolean
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface EmailWebhookDelivery {
  /** Id of the record. */
  readonly id: string
  /** Id of the webhook. */
  readonly webhook_id: string
  /** Name of the event. */
  readonly event: string
  /** The sender's id of the email. */
  readonly send_id: string | null
  /** Status of the delivery. */
  readonly status: "pending" | "delivered" | "failed" | "blocked"
  /** Number of attempts so far. */
  readonly attempt_count: number
  /** Status of the endpoint's last answer; null when there was none. */
  readonly response_code: number | null
  /** Why it failed; null when it did not. */
  readonly error_detail: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last attempt. */
  readonly last_attempt_at: string | null
  /** Time at which the endpoint accepted it; null while it has not. */
  readonly delivered_at: string | null
}

export interface EmbeddingList {
  /** Kind of object. */
  readonly object: "list"
  /** A vector for each input, in their order. */
  readonly data: ReadonlyArray<{
    /** Kind of object. */
    readonly object: "embedding"
    /** Which input it is of, from 0. */
    readonly index: number
    /** Vector. */
    readonly embedding: ReadonlyArray<number> | string
  }>
  /** Model to use. */
  readonly model: string
  /** What the request used. */
  readonly usage: {
    /** Tokens of the input. */
    readonly prompt_tokens: number
    /** The same. */
    readonly total_tokens: number
  }
}

export interface EmbeddingsRequest {
  /** Model to use. */
  readonly model: string
  /** Text, texts, a list of token numbers, or lists of them. */
  readonly input: unknown
  /** Size of each vector; default: the model's. */
  readonly dimensions?: number | null | undefined
  /** Numbers, or 32-bit floats in Base64; default `float`. */
  readonly encoding_format?: "float" | "base64" | null | undefined
  readonly [name: string]: unknown
}

export interface File {
  /** Id of the file. */
  readonly id: string
  /** Kind of object. */
  readonly object: "file"
  /** Size in bytes. */
  readonly bytes: number
  /** Time of creation in Unix seconds. */
  readonly created_at: number
  /** Time from which on the file is gone, in Unix seconds; null for never. */
  readonly expires_at: number | null
  /** Name of the file. */
  readonly filename: string
  /** Purpose of the file: `batch`; results have `batch_output`. */
  readonly purpose: "batch" | "batch_output"
  /** Always `processed`. */
  readonly status: "processed"
  /** Always null. */
  readonly status_details: null
}

export interface FileList {
  /** Kind of object. */
  readonly object: "list"
  /** Files of the page. */
  readonly data: ReadonlyArray<File>
  /** Id of the first file of the page; null for an empty page. */
  readonly first_id: string | null
  /** Id of the last file of the page; null for an empty page. */
  readonly last_id: string | null
  /** True when there are files after the page. */
  readonly has_more: boolean
}

export interface FlowChange {
  /** Name of the flow, which customers do not see. */
  readonly name?: string | undefined
  /** What the flow is for, in the chat platform's words. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** Your endpoint that is asked for data while customers fill in the flow; null for none. */
  readonly endpoint_url?: string | null | undefined
  /** Whether the endpoint gets a new secret; the old one is gone at once. */
  readonly rotate_secret?: boolean | undefined
}

export type FlowJson = Readonly<Record<string, unknown>>

export interface FlowKey {
  /** SHA-256 of the public key, in hex. */
  readonly fingerprint: string
  /** When the key was made. */
  readonly created_at: string
}

export interface FlowKeyStatus {
  /** SHA-256 of the public key, in hex. */
  readonly fingerprint: string
  /** When the key was made. */
  readonly created_at: string
  /** What the chat platform says of the key; null where it says nothing. */
  readonly signature_status: string | null
}

export interface FoundKnowledge {
  /** Id of the text. */
  readonly entry_id: string
  /** Title of the text; 1 to 255 characters. */
  readonly title: string
  /** Part of the text that answers best; up to about 600 characters. */
  readonly snippet: string
  /** How much of the question the text has, from 0 to 1. */
  readonly score: number | "Infinity" | "-Infinity" | "NaN"
}

export interface ImageList {
  /** When they were made, in Unix seconds. */
  readonly created: number
  /** The images. */
  readonly data: ReadonlyArray<{
    /** An image in Base64. */
    readonly b64_json?: string | undefined
    /** Where an image is. */
    readonly url?: string | undefined
    readonly [name: string]: unknown
  }>
  readonly [name: string]: unknown
}

export interface ImagesRequest {
  /** Model to use. */
  readonly model: string
  /** What the images show. */
  readonly prompt: string
  /** Number of images; default 1. */
  readonly n?: number | null | undefined
  /** Width and height in pixels, or `auto`. */
  readonly size?: string | null | undefined
  /** Addresses, or data in Base64; default: as the upstream sends them. */
  readonly response_format?: "url" | "b64_json" | null | undefined
  /** Only false: images are not streamed. */
  readonly stream?: boolean | null | undefined
  /** Only 0: images are not streamed. */
  readonly partial_images?: number | null | undefined
  readonly [name: string]: unknown
}

export interface ImportErrorCount {
  /** Field that is at fault. */
  readonly field: string
  /** What is wrong, in a sentence. */
  readonly message: string
  /** Number of rows with this fault. */
  readonly rows: number
  /** The first of these rows. */
  readonly row: number
}

export interface ImportReport {
  /** True to report without a change; default true. */
  readonly dry_run: boolean
  /** Number of rows in the file. */
  readonly total_rows: number
  /** Number of contacts that are new in the address book. */
  readonly created: number
  /** Number of contacts of the address book that were updated. */
  readonly updated: number
  /** Number of rejected rows. */
  readonly failed: number
  /** The first 100 faults. */
  readonly errors: ReadonlyArray<{
    /** Row as a spreadsheet counts it: the header is row 1. */
    readonly row: number
    /** Field that is at fault; null when it is the whole row. */
    readonly field: string | null
    /** What is wrong, in a sentence. */
    readonly message: string
  }>
  /** Each kind of fault with the number of its rows; the first 100 kinds. */
  readonly error_counts: ReadonlyArray<ImportErrorCount>
  /** Object from each header of the file to the field that it was read as; null where the column is ignored. */
  readonly columns: Readonly<Record<string, string | null>>
  /** Number of contacts that were added to the campaign. */
  readonly attached: number
  /** Number of phone numbers that cannot be dialed. */
  readonly skipped_invalid: number
  /** Number of rows whose contact is on the list already. */
  readonly skipped_duplicate: number
  /** Number of contacts on the list now. */
  readonly total_now: number
}

export interface InputTokens {
  /** Kind of object, for client libraries. */
  readonly object: "response.input_tokens"
  /** Tokens of the input. */
  readonly input_tokens: number
}

export interface InputTokensRequest {
  /** Model to use. */
  readonly model: string
  /** Text, or items of the conversation. */
  readonly input:
    | string
    | ReadonlyArray<{
        /** Kind of part. */
        readonly type?: string | null | undefined
        readonly [name: string]: unknown
      }>
  /** System prompt. */
  readonly instructions?: string | null | undefined
  /** Kept response that this one continues. */
  readonly previous_response_id?: string | null | undefined
  readonly [name: string]: unknown
}

export interface InvitedMember {
  /** Id of the record. */
  readonly id: string
  /** Email address; it is one member's in the whole installation. */
  readonly email: string
  /** Name of the member; 1 to 255 characters. */
  readonly name: string | null
  /** Role of the member. */
  readonly role: "owner" | "admin" | "member" | "viewer"
  /** `invited` until the member has set a password, then `active`. */
  readonly status: "invited" | "active"
  /** Instant of the member's last request, to a minute; null before the first one. */
  readonly last_seen_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Address of the link, which is shown this once. */
  readonly link: string
  /** Instant from which on the link does not work. */
  readonly link_expires_at: string
}

export interface KnowledgeEntry {
  /** Id of the record. */
  readonly id: string
  /** Agent that the text belongs to. */
  readonly bot_id: string
  /** Title of the text; 1 to 255 characters. */
  readonly title: string
  /** The text; up to 100,000 characters. */
  readonly content: string
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface KnowledgeEntryChange {
  /** Title of the text; 1 to 255 characters. */
  readonly title?: string | undefined
  /** The text; up to 100,000 characters. */
  readonly content?: string | undefined
}

export interface LastMessage {
  /** `inbound` from the customer, `outbound` to the customer. */
  readonly direction: "inbound" | "outbound"
  /** Who wrote it: the customer (`user`), the AI agent (`assistant`) or a person (`agent`). */
  readonly role: "user" | "assistant" | "agent"
  /** Type of the message. */
  readonly type: string
  /** The first 200 characters of the text; null where it has none. */
  readonly text: string | null
  /** How far the message has come. */
  readonly status: "received" | "queued" | "sent" | "delivered" | "read" | "failed"
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface LedgerEntry {
  /** Id of the record. */
  readonly id: string
  /** Time at which the record was created. */
  readonly created_at: string
  /** `grant` for what was added, `call` for a telephone call, `inference` for a request to a model. */
  readonly kind: "grant" | "call" | "inference"
  /** Credits; negative for what was charged. */
  readonly amount: number | "Infinity" | "-Infinity" | "NaN"
  /** Id of the call or of the row of the usage log; of a bonus its month and plan; null where there is none. */
  readonly reference: string | null
}

export interface LinkedBot {
  /** Agent that answers on the number; null for none. */
  readonly bot_id: string | null
}

export interface Me {
  /** `person` or `key`. */
  readonly kind: "person" | "key"
  /** The id of the person: a member's, the host's, or the one in the token. Of a key its id. */
  readonly subject: string
  /** The name; null where none is known. */
  readonly name: string | null
  /** The email address of a member; null of anybody else. */
  readonly email: string | null
  /** The role of a person; null of keys and of people who have scopes. */
  readonly role: string | null
  /** All scopes that the caller has, in the order of the alphabet. */
  readonly scopes: ReadonlyArray<string>
  /** The account that the caller belongs to. */
  readonly account: {
    /** Id of the record. */
    readonly id: string
    /** The name; null where none is known. */
    readonly name: string
    /** The plan of the account. */
    readonly plan: "free" | "starter" | "pro" | "enterprise"
  }
  /** How the caller has signed in: by the `host`, a `token`, a `session` or a `key`. */
  readonly sign_in: "host" | "token" | "session" | "key"
  /** The id of the session; null without one. */
  readonly session_id: string | null
  /** When the token, the session or the key ends; null where it does not. */
  readonly expires_at: string | null
}

export interface Member {
  /** Id of the record. */
  readonly id: string
  /** Email address; it is one member's in the whole installation. */
  readonly email: string
  /** Name of the member; 1 to 255 characters. */
  readonly name: string | null
  /** Role of the member. */
  readonly role: "owner" | "admin" | "member" | "viewer"
  /** `invited` until the member has set a password, then `active`. */
  readonly status: "invited" | "active"
  /** Instant of the member's last request, to a minute; null before the first one. */
  readonly last_seen_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface MemberChange {
  /** Role of the member. */
  readonly role?: "owner" | "admin" | "member" | "viewer" | undefined
  /** Name of the member; 1 to 255 characters. */
  readonly name?: string | null | undefined
}

export interface MemberLink {
  /** `invitation` of an invited member, `reset` of an active one. */
  readonly purpose: "invitation" | "reset"
  /** Address of the link, which is shown this once. */
  readonly url: string
  /** Instant from which on the link does not work. */
  readonly expires_at: string
}

export interface Message {
  /** Id of the record. */
  readonly id: string
  /** The chat platform's id of the message. */
  readonly msgid: string | null
  /** Id of the conversation. */
  readonly conversation_id: string
  /** `inbound` from the customer, `outbound` to the customer. */
  readonly direction: "inbound" | "outbound"
  /** Who wrote it: the customer (`user`), the AI agent (`assistant`) or a person (`agent`). */
  readonly role: "user" | "assistant" | "agent"
  /** Type of the message. */
  readonly type: string
  /** Text of the message; null where it has none. */
  readonly text: string | null
  /** The message in the chat platform's form. */
  readonly content: Readonly<Record<string, unknown>>
  /** What the customer has ordered; null where the message is no order. */
  readonly order: {
    /** The chat platform's id of the catalog that the products are of. */
    readonly catalog_id: string | null
    /** What the customer has written with the order. */
    readonly text: string | null
    /** The products that were ordered; what the message does not say of one is null. */
    readonly items: ReadonlyArray<{
      /** The account's own id of the product. */
      readonly retailer_id: string | null
      /** Number of pieces. */
      readonly quantity: number | null
      /** Price of one piece, as a decimal text. */
      readonly price: string | null
      /** Currency of the price, as three letters. */
      readonly currency: string | null
    }>
    /** Sum of the items as a decimal text; null where it is not known, or they differ in currency. */
    readonly total: string | null
    /** Currency of the total, as three letters; null where items differ in it. */
    readonly currency: string | null
  } | null
  /** Message that this one answers; null where there is none. */
  readonly context: {
    /** The chat platform's id of that message. */
    readonly message_id: string
  } | null
  /** How far the message has come. */
  readonly status: "received" | "queued" | "sent" | "delivered" | "read" | "failed"
  /** Why it could not be sent; null when it could. */
  readonly error: {
    /** The chat platform's code. */
    readonly code: number | null
    /** What is wrong, in a sentence. */
    readonly message: string
  } | null
  /** The person who has sent it; null where a customer, an agent or a program has. */
  readonly sent_by: Person | null
  /** The flow that the customer has completed; null where the message completes none. */
  readonly flow: CompletedFlow | null
  /** Time at which its writer last edited it; null where it is as it was sent. */
  readonly edited_at: string | null
  /** What it said before its first edit; null where it was never edited. */
  readonly original: {
    /** Text of the message; null where it has none. */
    readonly text: string | null
    /** The message in the chat platform's form. */
    readonly content: Readonly<Record<string, unknown>>
  } | null
  /** Time at which its writer deleted it; null where they have not. */
  readonly deleted_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface MessagesRequest {
  /** Model to use. */
  readonly model: string
  /** Conversation so far. */
  readonly messages: ReadonlyArray<{
    /** Who wrote the message. */
    readonly role: "user" | "assistant" | "system"
    readonly [name: string]: unknown
  }>
  /** System prompt. */
  readonly system?:
    | string
    | ReadonlyArray<{
        /** Kind of part. */
        readonly type: "text"
        /** Text. */
        readonly text: string
        readonly [name: string]: unknown
      }>
    | null
    | undefined
  /** Most tokens of the answer; default: the model's maximum. At least 1. */
  readonly max_tokens: number
  /** True to get the answer as server-sent events. */
  readonly stream?: boolean | null | undefined
  readonly [name: string]: unknown
}

export interface Model {
  /** Id to call the model by. */
  readonly id: string
  /** Kind of object, for client libraries. */
  readonly object: "model"
  /** 0, for client libraries. */
  readonly created: number
  /** `platform`, for client libraries. */
  readonly owned_by: string
  /** What the model does. */
  readonly category: "llm" | "stt" | "tts" | "image" | "embedding"
  /** Whether the model can be used. */
  readonly status: "active" | "maintenance" | "retired"
  /** Model that replaces it. */
  readonly successor: string | null
  /** True when the caller can use the model, by plan, permissions and configuration. */
  readonly available: boolean
  /** True when this service can run the model. */
  readonly configured: boolean
  /** Plans that may use the model. */
  readonly tiers: ReadonlyArray<"free" | "starter" | "pro" | "enterprise">
  /** Price; it has one of the kinds of price. */
  readonly price: ModelPrice
  /** Limits of one request; null where there is none. */
  readonly limits: {
    /** Maximum seconds of audio. */
    readonly seconds: number | null
    /** Maximum bytes of the file, or of the request. */
    readonly bytes: number | null
    /** Maximum number of inputs. */
    readonly inputs: number | null
    /** Characters of a text that is spoken. */
    readonly characters: number | null
    /** Number of dimensions of an embedding. */
    readonly dimensions: number | null
    /** Maximum number of tokens of input and output. */
    readonly context_window: number | null
    /** Maximum number of tokens of output. */
    readonly max_output_tokens: number | null
  }
  /** Maximum number of tokens of input and output. */
  readonly context_window: number | null
  /** Maximum number of tokens of output. */
  readonly max_output_tokens: number | null
  /** True when only voice sessions can use the model. */
  readonly streaming_only: boolean
  /** Model to use for files instead. */
  readonly alternative: string | null
  /** Output modes that the model supports. */
  readonly modes: ReadonlyArray<"transcribe" | "translate" | "verbatim" | "translit" | "codemix">
  /** True when the model can translate into English. */
  readonly translates: boolean
  /** True when the model distinguishes speakers. */
  readonly diarizes: boolean
  /** Language codes that the model supports; empty where none are published. */
  readonly dialects: ReadonlyArray<string>
  /** Further parameters that the model supports. */
  readonly features: ReadonlyArray<
    | "diarize"
    | "utterances"
    | "utt_split"
    | "paragraphs"
    | "numerals"
    | "measurements"
    | "dictation"
    | "profanity_filter"
    | "filler_words"
    | "multichannel"
    | "detect_entities"
    | "detect_language"
    | "redact"
    | "keyterm"
    | "keywords"
    | "search"
    | "replace"
  >
  /** True when voice sessions may use the model. */
  readonly voice: boolean
  /** True when prompts may have images. */
  readonly vision: boolean
}

export interface ModelAccess {
  /** What each plan may use. */
  readonly plans: {
    /** The plan `free`. */
    readonly free: PlanAccess
    /** The plan `starter`. */
    readonly starter: PlanAccess
    /** The plan `pro`. */
    readonly pro: PlanAccess
    /** The plan `enterprise`. */
    readonly enterprise: PlanAccess
  }
}

export interface ModelList {
  /** Kind of object, for client libraries. */
  readonly object: "list"
  /** The models. */
  readonly data: ReadonlyArray<Model>
}

export type ModelMessage = Readonly<Record<string, unknown>>

export interface ModelPrice {
  /** US dollars for an hour of audio. */
  readonly usd_per_hour?: number | undefined
  /** US dollars for 10,000 characters. */
  readonly usd_per_10k_characters?: number | undefined
  /** US dollars for an image. */
  readonly usd_per_image?: number | undefined
  /** Pixels that the price of an image is for; a larger one has it for each such part that it begins. */
  readonly image_pixels?: number | undefined
  /** Credits for a query. */
  readonly credits_per_query?: number | undefined
  /** US dollars for a million tokens of input. */
  readonly input_usd_per_million_tokens?: number | undefined
  /** US dollars for a million tokens of output. */
  readonly output_usd_per_million_tokens?: number | undefined
  /** US dollars for a million cached tokens of input. */
  readonly cached_input_usd_per_million_tokens?: number | undefined
  /** US dollars for a million tokens of input that a cache keeps. */
  readonly cache_write_usd_per_million_tokens?: number | undefined
  /** US dollars for a million tokens of input that a cache keeps for an hour. */
  readonly cache_write_1h_usd_per_million_tokens?: number | undefined
  /** True when the price rises with a long input. */
  readonly long_input_costs_more?: boolean | undefined
}

export interface NewApiKey {
  /** Name to recognise the key by; 1 to 255 characters, null without one. */
  readonly name?: string | null | undefined
  /** What the key may do on the platform's routes; `*` stands for all that keys can have. */
  readonly scopes: ReadonlyArray<
    | "campaigns:read"
    | "campaigns:write"
    | "calls:read"
    | "calls:write"
    | "contacts:read"
    | "contacts:write"
    | "messaging:read"
    | "messaging:write"
    | "messaging:send"
    | "webhooks:write"
    | "email:read"
    | "email:write"
    | "usage:read"
    | "*"
  >
  /** Services of `/v1/*` that the key may use. */
  readonly permissions: ReadonlyArray<"llm" | "stt" | "tts" | "image" | "search">
  /** Credits that the key may spend in the period of its budget; null for no limit. */
  readonly budget?: number | "Infinity" | "-Infinity" | "NaN" | null | undefined
  /** `total` for the key's lifetime, or `month` for each calendar month of UTC; `total` by default. */
  readonly budget_period?: "total" | "month" | null | undefined
  /** Ids of the models that the key may use; null for all. */
  readonly models?: ReadonlyArray<string> | null | undefined
  /** Hosts of pages that may use the key in a browser; null for all. `*.example.com` covers subdomains. */
  readonly domains?: ReadonlyArray<string> | null | undefined
  /** Search providers that the key may use; null for all. */
  readonly search_providers?: ReadonlyArray<string> | null | undefined
  /** Largest number of requests in a minute; null for the plan's. */
  readonly rpm?: number | null | undefined
  /** Largest number of requests under way; null for the plan's. */
  readonly concurrency?: number | null | undefined
  /** Instant from which on the key does not work; null for never. */
  readonly expires_at?: string | null | undefined
}

export interface NewBatch {
  /** Id of the file with the requests. */
  readonly input_file_id: string
  /** Route that every request is for. */
  readonly endpoint: string
  /** Always `24h`. */
  readonly completion_window: "24h"
  /** Up to 16 texts of the caller's own. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
  readonly [name: string]: unknown
}

export interface NewBot {
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** Kind of agent; default: the word of the messaging channel. */
  readonly type?: string | null | undefined
  /** Instructions for the language model; up to 100,000 characters. */
  readonly system_prompt?: string | null | undefined
  /** Whether the agent answers; default true. */
  readonly is_active?: boolean | null | undefined
  /** Settings such as `model`, `greeting` and `language`; up to 256 KiB of JSON. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined
}

export interface NewCall {
  /** Phone number to call; 1 to 64 characters. */
  readonly to: string
  /** Number that the call comes from; null for the account's first. */
  readonly from_number_id?: string | null | undefined
  /** Agent that speaks in the call. */
  readonly bot_id?: string | null | undefined
}

export interface NewCallOutcome {
  /** How the call has ended; 1 to 64 characters. */
  readonly outcome: string
  /** More about it; up to 2000 characters. */
  readonly note?: string | null | undefined
  /** True to put the number on the do-not-call list. */
  readonly do_not_call?: boolean | null | undefined
}

export interface NewCampaign {
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** Agent that speaks in the calls. */
  readonly bot_id?: string | null | undefined
  /** Number that the calls come from; null for the account's first. */
  readonly from_number_id?: string | null | undefined
  /** Message to leave on answering machines; null to hang up. */
  readonly voicemail_template_id?: string | null | undefined
  /** Time at which a scheduled campaign starts by itself. */
  readonly scheduled_at?: string | null | undefined
  /** IANA time zone of the calling window; default `Asia/Kolkata`. */
  readonly timezone?: string | null | undefined
  /** First hour of the day in which calls may be placed; default 9. */
  readonly quiet_hours_start?: number | null | undefined
  /** Hour of the day from which on no calls are placed; above the start; default 21. */
  readonly quiet_hours_end?: number | null | undefined
  /** Maximum number of attempts for each contact; default 3. */
  readonly max_attempts?: number | null | undefined
  /** `preview`: a person approves each call; `power`: one call after the other; `parallel`: several lines at a time; default `power`. */
  readonly dial_mode?: "preview" | "power" | "parallel" | null | undefined
  /** Power mode: seconds from one call's start to the next; default 30. */
  readonly pace_seconds?: number | null | undefined
  /** Parallel mode: calls at a time; default 1. */
  readonly parallel_lines?: number | null | undefined
  /** Whether answering machines are detected; default false. */
  readonly amd_enabled?: boolean | null | undefined
  /** Maximum number of calls that are started in one day of the campaign's time zone; default null, for no limit. */
  readonly max_calls_per_day?: number | null | undefined
}

export interface NewContacts {
  /** People to call; at most 1000. */
  readonly contacts: ReadonlyArray<{
    /** Phone number as it was given; 1 to 64 characters. */
    readonly phone: string
    /** Name of the person. */
    readonly name?: string | null | undefined
  }>
}

export interface NewCrmContact {
  /** Phone number as it was given. */
  readonly phone: string
  /** Full name. */
  readonly name?: string | null | undefined
  /** First name. */
  readonly first_name?: string | null | undefined
  /** Last name. */
  readonly last_name?: string | null | undefined
  /** Email address. */
  readonly email?: string | null | undefined
  /** Company. */
  readonly company?: string | null | undefined
  /** Tags, in the order in which they were given. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Notes. */
  readonly notes?: string | null | undefined
  /** True when the person has agreed to be messaged. */
  readonly opted_in?: boolean | undefined
  /** Further columns of the import, by name. */
  readonly custom?: Readonly<Record<string, string>> | undefined
}

export interface NewDoNotCallEntries {
  /** Numbers to add; at most 1000. */
  readonly entries: ReadonlyArray<{
    /** Phone number as it was given; 1 to 64 characters. */
    readonly phone: string
    /** Why the number is on the list; up to 500 characters. */
    readonly reason?: string | null | undefined
  }>
}

export interface NewEmailWebhook {
  /** URL of the endpoint; up to 2048 characters. */
  readonly url: string
  /** What the webhook is for; up to 255 characters. */
  readonly description?: string | null | undefined
  /** Names of the events to send; null or empty for every event. */
  readonly events?:
    | ReadonlyArray<
        "email.bounced" | "email.complained" | "email.sent" | "email.delivered" | "email.opened" | "email.received"
      >
    | null
    | undefined
}

export interface NewFlow {
  /** The chat platform's id of the number. */
  readonly phone_number_id: string
  /** Name of the flow, which customers do not see. */
  readonly name: string
  /** What the flow is for, in the chat platform's words. */
  readonly categories: ReadonlyArray<string>
  /** Screens of the flow, in the chat platform's words; null for none yet. */
  readonly flow_json?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's id of the flow whose screens it begins with. */
  readonly clone_flow_id?: string | null | undefined
  /** Whether the flow is published at once; default false. */
  readonly publish?: boolean | null | undefined
  /** Your endpoint that is asked for data while customers fill in the flow; null for none. */
  readonly endpoint_url?: string | null | undefined
}

export interface NewKnowledgeEntry {
  /** Title of the text; 1 to 255 characters. */
  readonly title: string
  /** The text; up to 100,000 characters. */
  readonly content: string
}

export interface NewMember {
  /** Email address; it is one member's in the whole installation. */
  readonly email: string
  /** Role of the member. */
  readonly role: "owner" | "admin" | "member" | "viewer"
  /** Name of the member; 1 to 255 characters. */
  readonly name?: string | null | undefined
}

export interface NewMessage {
  /** The chat platform's id of the number to send from. */
  readonly phone_number_id: string
  /** Phone number of the customer, with the country code. */
  readonly to?: string | null | undefined
  /** The chat platform's id of the customer, instead of `to`. */
  readonly user_id?: string | null | undefined
  /** Type of the message; default `text`. */
  readonly type?:
    | "text"
    | "template"
    | "image"
    | "audio"
    | "video"
    | "document"
    | "sticker"
    | "interactive"
    | "location"
    | "contacts"
    | "reaction"
    | null
    | undefined
  /** Text, or the chat platform's object for a text. */
  readonly text?: string | Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for a template. */
  readonly template?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for an image. */
  readonly image?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for audio. */
  readonly audio?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for a video. */
  readonly video?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for a document. */
  readonly document?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for a sticker. */
  readonly sticker?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for buttons, lists and the like. */
  readonly interactive?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's object for a location. */
  readonly location?: Readonly<Record<string, unknown>> | null | undefined
  /** The chat platform's objects for contact cards. */
  readonly contacts?: ReadonlyArray<Readonly<Record<string, unknown>>> | null | undefined
  /** The chat platform's object for a reaction. */
  readonly reaction?: Readonly<Record<string, unknown>> | null | undefined
  /** Message to answer. */
  readonly context?:
    | {
        /** The chat platform's id of that message. */
        readonly message_id: string
      }
    | null
    | undefined
}

export interface NewOptOuts {
  /** At most 1000 people, each by phone or by user_id. */
  readonly entries: ReadonlyArray<{
    /** The person's phone; null where it is not known. */
    readonly phone?: string | null | undefined
    /** The chat platform's id of the person; null where it is not known. */
    readonly user_id?: string | null | undefined
    /** Whether marketing messages alone are meant, or all messages of campaigns; default all. */
    readonly scope?: "marketing" | "all" | null | undefined
    /** The number that is meant, by the chat platform's id; null for every number of the account. */
    readonly phone_number_id?: string | null | undefined
    /** The word that was written, or why; null where nothing is said. */
    readonly detail?: string | null | undefined
  }>
}

export interface NewPassword {
  /** The present password. */
  readonly current_password: string
  /** The new password; 12 to 1024 characters. */
  readonly password: string
}

export interface NewPayment {
  /** The chat platform's id of the number that sends the bill. */
  readonly phone_number_id: string
  /** Phone number of the customer, with the country code. */
  readonly to?: string | null | undefined
  /** The chat platform's id of the customer. */
  readonly user_id?: string | null | undefined
  /** The account's own id of the order, which a number can use once. */
  readonly reference_id: string
  /** Name of the payment configuration that the money goes to. */
  readonly configuration: string
  /** Whether goods are delivered by wire or by hand. */
  readonly kind: "digital" | "physical"
  /** Currency as three letters. */
  readonly currency: "INR"
  /** What is to be paid for; at most 100. */
  readonly items: ReadonlyArray<{
    /** The account's own id of the product. */
    readonly retailer_id: string
    /** Name of the product. */
    readonly name: string
    /** Price of one piece, in paise. From 1 to 50000000. */
    readonly amount: number
    /** Number of pieces. From 1 to 9999. */
    readonly quantity: number
    /** Price of one piece that is paid instead of amount; null where amount is. */
    readonly sale_amount?: number | null | undefined
  }>
  /** Tax that is added, in paise; null for none. */
  readonly tax?: number | null | undefined
  /** Cost of delivery that is added, in paise; null for none. */
  readonly shipping?: number | null | undefined
  /** What is taken off the bill, in paise; null for nothing. */
  readonly discount?: number | null | undefined
  /** Text of the message. */
  readonly body: string
  /** Small text below it; null for none. */
  readonly footer?: string | null | undefined
  /** Address of a picture above it, which begins with https; null for none. */
  readonly header_image?: string | null | undefined
  /** Time until which it can be paid, 5 minutes to 30 days ahead; null for no end. */
  readonly expires_at?: string | null | undefined
}

export interface NewPhoneNumber {
  /** Phone number as it was given; 1 to 64 characters. */
  readonly phone: string
  /** Name of the number in lists; up to 255 characters. */
  readonly label?: string | null | undefined
}

export type NewPlatformTemplate = Readonly<Record<string, unknown>>

export interface NewSearch {
  /** Text to search for. */
  readonly query: string
  /** Name of a search provider; default: the operator's. */
  readonly provider?: string | null | undefined
  /** Maximum number of results, up to 20; default 10. */
  readonly max_results?: number | null | undefined
  /** Country whose results come first, in two letters. */
  readonly country?: string | null | undefined
  /** Language of the results, in two letters. */
  readonly language?: string | null | undefined
  /** Age of the results at most. */
  readonly freshness?: "day" | "week" | "month" | "year" | null | undefined
  /** Whether results for adults are left out. */
  readonly safe_search?: "off" | "moderate" | "strict" | null | undefined
  /** Hosts whose pages alone are searched. */
  readonly include_domains?: ReadonlyArray<string> | null | undefined
  /** Hosts whose pages are left out. */
  readonly exclude_domains?: ReadonlyArray<string> | null | undefined
}

export interface NewTemplateCampaign {
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** The chat platform's id of the connected number that sends the messages; it cannot be changed. */
  readonly phone_number_id: string
  /** Template that is sent; it can be changed while the campaign is a draft. */
  readonly template: {
    /** Name in lists; 1 to 255 characters. */
    readonly name: string
    /** Language of the template, as the chat platform writes it. */
    readonly language: string
  }
  /** What fills the template, by the place: `body.1`, `body.<name>`, `header.1`, `header.<name>`, `header.media` or `buttons.<index>`; each has a `value` for everybody, or a `field` and a `fallback`. */
  readonly parameters?:
    | Readonly<
        Record<
          string,
          | {
              /** Text for everybody. */
              readonly value: string
            }
          | {
              /** Field of each contact: `name`, `first_name`, `last_name`, `email`, `company`, `phone`, `custom.<key>` or `variables.<key>`. */
              readonly field: string
              /** Text for contacts whose field is empty; null to skip them. */
              readonly fallback?: string | null | undefined
            }
        >
      >
    | null
    | undefined
  /** Time at which a scheduled campaign starts by itself. */
  readonly scheduled_at?: string | null | undefined
  /** IANA time zone of the hours; default `Asia/Kolkata`. */
  readonly timezone?: string | null | undefined
  /** First hour of the day in which messages may go out; default 9. */
  readonly quiet_hours_start?: number | null | undefined
  /** Hour of the day from which on no message goes out; above the start; default 21. */
  readonly quiet_hours_end?: number | null | undefined
  /** Maximum number of messages in a second, 1 to 1000; default null, for what the number has. */
  readonly max_per_second?: number | null | undefined
  /** Maximum number of messages in one day of the campaign's time zone, 1 to 1000000; default null, for no limit. */
  readonly max_per_day?: number | null | undefined
  /** Whether people who have not agreed to be messaged are skipped; default true. */
  readonly require_opt_in?: boolean | null | undefined
  /** Whether people on the do-not-call list are skipped; default true. */
  readonly respect_do_not_call?: boolean | null | undefined
  /** Rating of the number or the template at which the campaign pauses; default `red`. */
  readonly pause_on_quality?: "red" | "yellow" | "never" | null | undefined
  /** Share of failures, in percent, above which the campaign pauses; 100 never pauses it; default 30. */
  readonly max_failure_percent?: number | null | undefined
  /** Whether a message that the platform keeps from a customer for now is sent once more a day later; default false. */
  readonly retry_marketing_limit?: boolean | null | undefined
  /** Hours after a message within which the customer's next message is its reply; default 72. */
  readonly reply_window_hours?: number | null | undefined
}

export interface NewTemplateContacts {
  /** People to write to; at most 1000. */
  readonly contacts: ReadonlyArray<{
    /** Phone number as it was given; 1 to 64 characters. */
    readonly phone?: string | null | undefined
    /** The chat platform's id of the person. */
    readonly user_id?: string | null | undefined
    /** Name of the person; up to 255 characters. */
    readonly name?: string | null | undefined
    /** What fills the template for this person: at most 64 texts of up to 1024 characters, by name. */
    readonly variables?: Readonly<Record<string, string>> | null | undefined
    /** Whether the person has agreed to be messaged; default false. */
    readonly opted_in?: boolean | null | undefined
  }>
}

export interface NewVoiceAlert {
  /** Name; 1 to 120 characters. */
  readonly name: string
  /** What is measured; it cannot be changed. */
  readonly metric:
    | "connect_rate"
    | "failure_rate"
    | "call_volume"
    | "session_failure_rate"
    | "hangup_rate"
    | "latency_p95"
    | "average_duration"
  /** Value beyond which the alert fires; 0 or more, 0 to 1 for a rate. */
  readonly threshold: number
  /** Side of the threshold on which the alert fires; default `above`. */
  readonly comparison?: "above" | "below" | null | undefined
  /** Seconds over which the metric is measured; 60 to 86400, default 3600. */
  readonly window_seconds?: number | null | undefined
  /** Agent whose calls and sessions count; null for all; it cannot be changed. */
  readonly bot_id?: string | null | undefined
  /** False while the alert is not evaluated; default true. */
  readonly enabled?: boolean | null | undefined
  /** Seconds after it fired in which it does not fire again; 0 to 604800, default 3600. */
  readonly cooldown_seconds?: number | null | undefined
}

export interface NewVoiceSession {
  /** Agent that speaks; null where a client has described its own. */
  readonly bot_id: string
  /** Maximum seconds from the connection on, up to 7200; default 1800. */
  readonly max_duration_seconds?: number | null | undefined
  /** Speech-to-text model; default: the agent's. */
  readonly stt_model?: string | null | undefined
  /** Code of the language that is spoken; default: the agent's. */
  readonly language?: string | null | undefined
  /** Language model; default: the agent's. */
  readonly llm_model?: string | null | undefined
  /** Text-to-speech model; default: the agent's. */
  readonly tts_model?: string | null | undefined
  /** Voice of the text-to-speech model; default: the agent's. */
  readonly voice?: string | null | undefined
  /** Values for the agent's texts; up to 16 KiB of JSON. */
  readonly variables?: Readonly<Record<string, string>> | null | undefined
  /** Notes of the account; up to 4 KiB of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export interface NewVoicemailTemplate {
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** Text to speak; up to 3000 characters; null when there is a file. */
  readonly text?: string | null | undefined
  /** URL of the audio file to play; null when there is a text. */
  readonly audio_url?: string | null | undefined
}

export interface NewWebhook {
  /** URL of the endpoint; up to 2048 characters. */
  readonly url: string
  /** Names of the events to send; empty for every event. */
  readonly events: ReadonlyArray<
    | "conversation.started"
    | "conversation.ended"
    | "message.received"
    | "message.sent"
    | "message.status"
    | "number.status"
    | "template.status"
    | "contact.preference"
    | "voice_session.started"
    | "voice_session.ended"
    | "voice_session.failed"
    | "call.started"
    | "call.completed"
    | "call.failed"
    | "call.amd_detected"
    | "voice_analysis.completed"
    | "campaign.started"
    | "campaign.completed"
    | "campaign.failed"
    | "voice_alert.triggered"
    | "budget.alert"
    | "budget.exceeded"
    | "credits.low"
    | "api_key.expired"
    | "invoice.created"
    | "payment.succeeded"
    | "payment.failed"
    | "payment_request.partially_paid"
    | "payment_request.paid"
    | "payment_request.expired"
    | "payment_request.cancelled"
  >
  /** Agent whose events are sent; null for all. */
  readonly bot_id?: string | null | undefined
  /** `standard`: 5 attempts within a minute; `long`: 13 attempts in three days. */
  readonly retry_schedule?: "standard" | "long" | null | undefined
  /** Days of failures after which the webhook pauses itself; null for never. */
  readonly pause_after_days?: number | null | undefined
}

export interface NumberConnection {
  /** The chat platform's id of the number. */
  readonly phone_number_id: string
  /** The chat platform's id of the business account. */
  readonly business_account_id: string
  /** Token for the chat platform; it is encrypted and never returned. */
  readonly access_token: string
  /** Phone number as people read it. */
  readonly display_phone_number?: string | null | undefined
}

export interface NumberPin {
  /** Six digits, which are stored nowhere here. */
  readonly pin: string
}

export interface NumberPlatform {
  /** Status of the number, in the chat platform's words. */
  readonly status: string | null
  /** How customers take the messages of the number. */
  readonly quality_rating: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | null
  /** How many people outside of an open reply window the number may write to in 24 hours. */
  readonly messaging_limit: {
    /** The limit in the chat platform's words. */
    readonly tier: string
    /** The limit as a number; null for no limit. */
    readonly per_day: number | null
  } | null
  /** How many messages a second the number sends at most. */
  readonly throughput: {
    /** The throughput in the chat platform's words. */
    readonly level: string
    /** The throughput as a number. */
    readonly per_second: number
  } | null
  /** Name that customers see. */
  readonly verified_name: string | null
  /** Whether that name is approved, in the chat platform's words. */
  readonly name_status: string | null
  /** Whether the number is verified, in the chat platform's words. */
  readonly code_verification_status: string | null
  /** Whether a PIN is set. */
  readonly is_pin_enabled: boolean | null
  /** What the chat platform does not let the number do for now; null for nothing. */
  readonly restriction: {
    /** The restriction in the chat platform's words. */
    readonly type: string
    /** When the restriction ends; null where it has no end. */
    readonly until: string | null
  } | null
  /** When the chat platform was last asked about the number; null where it never was. */
  readonly checked_at: string | null
}

export interface NumberProfile {
  /** A few words about the business. */
  readonly about: string | null
  /** Where the business is. */
  readonly address: string | null
  /** What the business does. */
  readonly description: string | null
  /** Where customers write to the business by email. */
  readonly email: string | null
  /** At most two addresses of the business. */
  readonly websites: ReadonlyArray<string> | null
  /** Line of business, in the chat platform's words. */
  readonly vertical: string | null
  /** Where the chat platform shows the picture. */
  readonly profile_picture_url: string | null
}

export interface NumberProfileChange {
  /** A few words about the business. */
  readonly about?: string | undefined
  /** Where the business is. */
  readonly address?: string | undefined
  /** What the business does. */
  readonly description?: string | undefined
  /** Where customers write to the business by email. */
  readonly email?: string | undefined
  /** At most two addresses of the business. */
  readonly websites?: ReadonlyArray<string> | undefined
  /** Line of business, in the chat platform's words. */
  readonly vertical?: string | undefined
  /** Handle of a picture that the chat platform has; it is never shown. */
  readonly profile_picture_handle?: string | undefined
}

export interface NumberRegistration {
  /** Six digits, which are stored nowhere here. */
  readonly pin: string
  /** Country in which the chat platform keeps messages; null where it may choose. */
  readonly data_localization_region?: string | null | undefined
}

export interface NumberSearch {
  /** The chat platform's id of the business account. */
  readonly business_account_id: string
  /** Token for the chat platform; it is not stored. */
  readonly access_token: string
}

export interface OptOut {
  /** Id of the record. */
  readonly id: string
  /** The person's phone; null where it is not known. */
  readonly phone: string | null
  /** The chat platform's id of the person; null where it is not known. */
  readonly user_id: string | null
  /** The number that is meant, by the chat platform's id; null for every number of the account. */
  readonly phone_number_id: string | null
  /** Whether marketing messages alone are meant, or all messages of campaigns; default all. */
  readonly scope: "marketing" | "all"
  /** How the person, or the account for the person, has said so. */
  readonly source: "keyword" | "platform" | "button" | "api"
  /** The word that was written, or why; null where nothing is said. */
  readonly detail: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface OwnName {
  /** The name; null where none is known. */
  readonly name: string
}

export interface Payment {
  /** Id of the record. */
  readonly id: string
  /** The account's own id of the order, which a number can use once. */
  readonly reference_id: string
  /** The chat platform's id of the number that sends the bill. */
  readonly phone_number_id: string
  /** The chat platform's id of the customer. */
  readonly user_id: string | null
  /** Phone number of the customer; null where it is not known. */
  readonly phone: string | null
  /** How far the payment has come. */
  readonly status: "requested" | "pending" | "captured" | "failed" | "expired" | "cancelled"
  /** What is to be paid in all, in paise. */
  readonly amount: number
  /** Currency as three letters. */
  readonly currency: string
  /** The chat platform's id of the message; null where it is not known to be sent. */
  readonly msgid: string | null
  /** Id of the conversation that the bill is in. */
  readonly conversation_id: string
  /** Attempts to pay. */
  readonly transactions: ReadonlyArray<{
    /** The payment provider's id of the attempt. */
    readonly id: string
    /** How it was paid, in the chat platform's words. */
    readonly type: string | null
    /** How far it has come, in the chat platform's words. */
    readonly status: string | null
    /** Time of the attempt; null where it is not known. */
    readonly at: string | null
    /** Why it has failed, in the chat platform's words; null where it has not. */
    readonly error: string | null
  }>
  /** How far the order has come, as the customer was last sent; null before. */
  readonly order_status: "processing" | "partially_shipped" | "shipped" | "completed" | "canceled" | null
  /** Time until which it can be paid; null for no end. */
  readonly expires_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface PaymentConfiguration {
  /** Name of the configuration. */
  readonly name: string
  /** Status in the chat platform's words; null where it names none. */
  readonly status: string | null
  /** Payment provider; null where it is not named. */
  readonly provider: string | null
  /** Id of the account at the provider; null where it is not named. */
  readonly merchant_id: string | null
  /** Address of the payment interface; null where there is none. */
  readonly vpa: string | null
  /** Category of the merchant; null where it is not named. */
  readonly category_code: string | null
  /** Purpose of the payments; null where it is not named. */
  readonly purpose_code: string | null
}

export interface PaymentUpdate {
  /** How far the order has come. */
  readonly status: "processing" | "partially_shipped" | "shipped" | "completed" | "canceled"
  /** Text of the message. */
  readonly body: string
  /** Why the order has this status; null where nothing is said. */
  readonly description?: string | null | undefined
}

export interface Person {
  /** Id of the person, as `GET /api/v1/me` has it, or of the key. */
  readonly subject: string
  /** Name at the time; null where none is known. */
  readonly name: string | null
}

export interface PhoneNumber {
  /** Id of the record. */
  readonly id: string
  /** Phone number as it was given; 1 to 64 characters. */
  readonly phone: string
  /** Name of the number in lists; up to 255 characters. */
  readonly label: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface PhoneNumberChange {
  /** Name of the number in lists; up to 255 characters. */
  readonly label?: string | null | undefined
}

export interface PlanAccess {
  /** Ids of all models of the plan. */
  readonly models: ReadonlyArray<string>
  /** The same ids by category. */
  readonly by_category: {
    /** Language models. */
    readonly llm: ReadonlyArray<string>
    /** Speech to text. */
    readonly stt: ReadonlyArray<string>
    /** Text to speech. */
    readonly tts: ReadonlyArray<string>
    /** Images. */
    readonly image: ReadonlyArray<string>
    /** Embeddings. */
    readonly embedding: ReadonlyArray<string>
  }
  /** What restricts the plan, in a sentence. */
  readonly restriction: string
}

export interface PlanCounter {
  /** What was used, with what runs; null where it is not counted. */
  readonly used: number | null
  /** What the plan includes; null for unlimited. */
  readonly limit: number | null
}

export interface PlanUsage {
  /** Plan of the account. */
  readonly plan: "free" | "starter" | "pro" | "enterprise"
  /** The calendar month, in UTC. */
  readonly period: {
    /** Start of the month. */
    readonly from: string
    /** Start of the next month. */
    readonly to: string
  }
  /** What the plan limits. */
  readonly counters: {
    /** Calls of language models. */
    readonly llm_calls: PlanCounter
    /** Calls of speech to text. */
    readonly stt_calls: PlanCounter
    /** Calls of text to speech. */
    readonly tts_calls: PlanCounter
    /** Images that were made. */
    readonly images: PlanCounter
    /** Voice sessions, and chats in which an agent replied. */
    readonly conversations: PlanCounter
    /** Bytes of files, knowledge and kept responses that are stored now. */
    readonly storage_bytes: PlanCounter
    /** Members of the account now, invited ones included; not counted where its people are the host's. */
    readonly team_members: PlanCounter
  }
}

export type PlatformBlockedPeople = Readonly<Record<string, unknown>>

export type PlatformCatalogs = Readonly<Record<string, unknown>>

export type PlatformFlow = Readonly<Record<string, unknown>>

export type PlatformFlowJson = Readonly<Record<string, unknown>>

export type PlatformFlows = Readonly<Record<string, unknown>>

export interface PlatformMessageCounts {
  /** First instant of the interval. */
  readonly start: string | null
  /** First instant after the interval. */
  readonly end: string | null
  /** Number of messages that the chat platform has accepted. */
  readonly sent: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Number of messages that were delivered, read ones included. */
  readonly delivered: number | "Infinity" | "-Infinity" | "NaN" | null
}

export interface PlatformPricing {
  /** First instant of the interval. */
  readonly start: string | null
  /** First instant after the interval. */
  readonly end: string | null
  /** Number of messages. */
  readonly volume: number | "Infinity" | "-Infinity" | "NaN" | null
  /** What they cost, in the currency of the business account. */
  readonly cost: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Number that sent the messages. */
  readonly phone: string | null
  /** Country of the recipients. */
  readonly country: string | null
  /** Whether the messages were free, in the chat platform's words. */
  readonly pricing_type: string | null
  /** Category of the price, in the chat platform's words. */
  readonly pricing_category: string | null
  /** Volume tier of the price, in the chat platform's words. */
  readonly tier: string | null
}

export type PlatformProducts = Readonly<Record<string, unknown>>

export type PlatformTemplate = Readonly<Record<string, unknown>>

export type PlatformTemplateChange = Readonly<Record<string, unknown>>

export type PlatformTemplates = Readonly<Record<string, unknown>>

export interface PreviewContact {
  /** The contact as its campaign has it. */
  readonly contact: CampaignContact
  /** True when its number is on the do-not-call list. */
  readonly suppressed: boolean
  /** The contact of the address book with this number; null without one. */
  readonly crm: Contact | null
  /** The newest 5 calls to this number. */
  readonly calls: ReadonlyArray<Call>
  /** The newest chat with this number; null without one. */
  readonly conversation_id: string | null
  /** When others may be shown the contact. */
  readonly held_until: string
}

export interface PreviewSkip {
  /** True to put the number on the do-not-call list and to fail the contact. */
  readonly do_not_call?: boolean | null | undefined
  /** Why the number is put on the list; up to 500 characters. */
  readonly reason?: string | null | undefined
}

export type Response = Readonly<Record<string, unknown>>

export interface ResponseInputItem {
  /** Id of the item, or of the response. */
  readonly id: string
  readonly [name: string]: unknown
}

export interface ResponseInputItems {
  /** Kind of object, for client libraries. */
  readonly object: "list"
  /** Items of this page. */
  readonly data: ReadonlyArray<ResponseInputItem>
  /** Id of the first item of the page. */
  readonly first_id: string | null
  /** Id of the last item of the page. */
  readonly last_id: string | null
  /** True when further items follow. */
  readonly has_more: boolean
}

export interface ResponsesRequest {
  /** Model to use. */
  readonly model: string
  /** Text, or items of the conversation. */
  readonly input:
    | string
    | ReadonlyArray<{
        /** Kind of part. */
        readonly type?: string | null | undefined
        readonly [name: string]: unknown
      }>
  /** System prompt. */
  readonly instructions?: string | null | undefined
  /** Kept response that this one continues. */
  readonly previous_response_id?: string | null | undefined
  /** Most tokens of the answer; default: the model's maximum. */
  readonly max_output_tokens?: number | null | undefined
  /** True to get the answer as server-sent events. */
  readonly stream?: boolean | null | undefined
  /** False not to keep the response; default true. */
  readonly store?: boolean | null | undefined
  readonly [name: string]: unknown
}

export interface RetryOrder {
  /** Contacts to call again; 1 to 1000, and no `last_error` beside them. */
  readonly contact_ids?: ReadonlyArray<string> | undefined
  /** Reasons for which the last attempt failed; 1 to 8, and no `contact_ids` beside them. */
  readonly last_error?:
    | ReadonlyArray<
        | "busy"
        | "no_answer"
        | "machine"
        | "invalid_number"
        | "blocked_number"
        | "provider_error"
        | "outcome_unknown"
        | "canceled"
      >
    | undefined
}

export interface SavedFlowJson {
  /** Whether the chat platform has accepted it. */
  readonly success: boolean
  /** What the chat platform has found wrong in the screens. */
  readonly validation_errors: ReadonlyArray<Readonly<Record<string, unknown>>>
}

export interface Search {
  /** Kind of record. */
  readonly object: "search"
  /** Id of the search. */
  readonly id: string
  /** Name of the provider that has searched. */
  readonly provider: string
  /** Text to search for. */
  readonly query: string
  /** Pages that were found, best first. */
  readonly results: ReadonlyArray<SearchResult>
  /** What is billed. */
  readonly usage: {
    /** Queries that are billed. */
    readonly queries: number
  }
}

export interface SearchResult {
  /** Title of the page. */
  readonly title: string
  /** Address of the page. */
  readonly url: string
  /** Text of the page that fits the query. */
  readonly snippet: string
  /** Day on which the page was published, as `YYYY-MM-DD`; null where it is unknown. */
  readonly date: string | null
  /** How well the page fits, where the provider says so; else null. */
  readonly score: number | null
}

export interface SentMessage {
  /** The chat platform's id of the message, the first where the text was split. */
  readonly msgid: string
  /** The chat platform's ids of all messages that were sent. */
  readonly msgids: ReadonlyArray<string>
  /** Whom the message was sent to. */
  readonly contacts: ReadonlyArray<{
    /** Recipient as it was given. */
    readonly input: string
    /** The chat platform's id of the customer. */
    readonly user_id: string
  }>
}

export interface Setup {
  /** True when every step is done, `chat_number` and `webhook` apart. */
  readonly completed: boolean
  /** The first steps, in the order in which they are taken. */
  readonly steps: ReadonlyArray<{
    /** Name of the step. */
    readonly id: "carrier" | "caller_number" | "credits" | "agent" | "campaign" | "chat_number" | "webhook" | "key"
    /** Whether the step is done. */
    readonly done: boolean
    /** A word about the step, such as `simulator` for a carrier that calls nobody; null without one. */
    readonly note: string | null
  }>
}

export interface SignInCredentials {
  /** Email address; the case of its letters does not count. */
  readonly email: string
  /** Password of the person. */
  readonly password: string
}

export interface SignInLink {
  /** What the link is for: `setup` makes the first owner of the account, `invitation` lets a new member in, `reset` sets another password. */
  readonly purpose: "setup" | "invitation" | "reset"
  /** Email address of the member; null while it is not known. */
  readonly email: string | null
  /** Name of the member; null while it is not known. */
  readonly name: string | null
  /** Role that the person has or will have. */
  readonly role: "owner" | "admin" | "member" | "viewer"
  /** Name of the account. */
  readonly account_name: string
  /** Instant from which on the link does not work. */
  readonly expires_at: string
}

export interface SignInLinkToken {
  /** Text of the link: what follows `#link=`. */
  readonly token: string
}

export interface SignInSession {
  /** Id of the record. */
  readonly id: string
  /** Time at which the record was created. */
  readonly created_at: string
  /** Instant of its last request, to a minute. */
  readonly last_used_at: string
  /** Instant from which on the session is over, unless it is used before. */
  readonly expires_at: string
  /** What the browser says of itself; null where it said nothing. */
  readonly user_agent: string | null
  /** Address from which the session was begun; null where it is not known. */
  readonly address: string | null
  /** True of the session that asks. */
  readonly current: boolean
}

export interface SpeechRequest {
  /** Model to use. */
  readonly model: string
  /** Text to speak. */
  readonly input: string
  /** Name of a voice, or an object with its id; default: the model's own. */
  readonly voice?:
    | string
    | {
        /** Name of a voice. */
        readonly id: string
        readonly [name: string]: unknown
      }
    | null
    | undefined
  /** Format of the audio; default mp3. */
  readonly response_format?: "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm" | null | undefined
  /** Speed of the speech; 1 is the voice's own. */
  readonly speed?: number | null | undefined
  /** How to speak, for models that take it. */
  readonly instructions?: string | null | undefined
  /** Language of the text, such as hi-IN, for models that need one. */
  readonly language?: string | null | undefined
  /** audio for the audio itself, sse for server-sent events; default audio. */
  readonly stream_format?: "audio" | "sse" | null | undefined
  readonly [name: string]: unknown
}

export interface TemplateAnalyticsEnabled {
  /** Always true. */
  readonly enabled: boolean
}

export interface TemplateCampaign {
  /** Id of the record. */
  readonly id: string
  /** Id of the account. */
  readonly tenant_id: string
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** The chat platform's id of the connected number that sends the messages; it cannot be changed. */
  readonly phone_number_id: string
  /** Template that is sent; it can be changed while the campaign is a draft. */
  readonly template: {
    /** Name in lists; 1 to 255 characters. */
    readonly name: string
    /** Language of the template, as the chat platform writes it. */
    readonly language: string
  }
  /** Category of the template, in the chat platform's words; null until it is known. */
  readonly category: string | null
  /** Status of the template, in the chat platform's words; null until it is known. */
  readonly template_status: string | null
  /** Rating of the template, in the chat platform's words; null until it is known. */
  readonly template_quality: string | null
  /** What fills the template, by the place: `body.1`, `body.<name>`, `header.1`, `header.<name>`, `header.media` or `buttons.<index>`; each has a `value` for everybody, or a `field` and a `fallback`. */
  readonly parameters: Readonly<
    Record<
      string,
      | {
          /** Text for everybody. */
          readonly value: string
        }
      | {
          /** Field of each contact: `name`, `first_name`, `last_name`, `email`, `company`, `phone`, `custom.<key>` or `variables.<key>`. */
          readonly field: string
          /** Text for contacts whose field is empty; null to skip them. */
          readonly fallback?: string | null | undefined
        }
    >
  >
  /** Status of the campaign. */
  readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled"
  /** Why the service has paused the campaign; null where it has not. */
  readonly pause_reason:
    | "classification"
    | "spam_rate"
    | "invalid_content"
    | "template_missing"
    | "template_rejected"
    | "template_paused"
    | "template_disabled"
    | "template_deleted"
    | "template_category"
    | "flow_blocked"
    | "marketing_not_permitted"
    | "credentials"
    | "payment"
    | "account_restricted"
    | "quality"
    | "failure_rate"
    | "number_disconnected"
    | "start_refused"
    | null
  /** Time at which a scheduled campaign starts by itself. */
  readonly scheduled_at: string | null
  /** IANA time zone of the hours; default `Asia/Kolkata`. */
  readonly timezone: string
  /** First hour of the day in which messages may go out; default 9. */
  readonly quiet_hours_start: number
  /** Hour of the day from which on no message goes out; above the start; default 21. */
  readonly quiet_hours_end: number
  /** Maximum number of messages in a second, 1 to 1000; default null, for what the number has. */
  readonly max_per_second: number | null
  /** Maximum number of messages in one day of the campaign's time zone, 1 to 1000000; default null, for no limit. */
  readonly max_per_day: number | null
  /** Whether people who have not agreed to be messaged are skipped; default true. */
  readonly require_opt_in: boolean
  /** Whether people on the do-not-call list are skipped; default true. */
  readonly respect_do_not_call: boolean
  /** Rating of the number or the template at which the campaign pauses; default `red`. */
  readonly pause_on_quality: "red" | "yellow" | "never"
  /** Share of failures, in percent, above which the campaign pauses; 100 never pauses it; default 30. */
  readonly max_failure_percent: number
  /** Whether a message that the platform keeps from a customer for now is sent once more a day later; default false. */
  readonly retry_marketing_limit: boolean
  /** Hours after a message within which the customer's next message is its reply; default 72. */
  readonly reply_window_hours: number
  /** Number of contacts on the list. */
  readonly total_contacts: number
  /** Number of contacts whose message the chat platform has accepted, and that have not failed since. */
  readonly sent_contacts: number
  /** Number of contacts whose message was delivered. */
  readonly delivered_contacts: number
  /** Number of contacts who have read their message. */
  readonly read_contacts: number
  /** Number of contacts whose message has failed. */
  readonly failed_contacts: number
  /** Number of contacts to whom nothing was sent, for a reason that each of them has. */
  readonly skipped_contacts: number
  /** Number of contacts who have replied. */
  readonly replied_contacts: number
  /** Messages that the chat platform has named a price for, by category. */
  readonly pricing: Readonly<
    Record<
      string,
      {
        /** Number of messages that the chat platform charges for. */
        readonly billable: number
        /** Number of messages that the chat platform takes nothing for. */
        readonly free: number
      }
    >
  >
  /** Time of the first start; null before. */
  readonly started_at: string | null
  /** Time at which everybody on the list had an outcome; null before. */
  readonly completed_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface TemplateCampaignChange {
  /** Name in lists; 1 to 255 characters. */
  readonly name?: string | undefined
  /** Template that is sent; it can be changed while the campaign is a draft. */
  readonly template?:
    | {
        /** Name in lists; 1 to 255 characters. */
        readonly name: string
        /** Language of the template, as the chat platform writes it. */
        readonly language: string
      }
    | undefined
  /** What fills the template, by the place: `body.1`, `body.<name>`, `header.1`, `header.<name>`, `header.media` or `buttons.<index>`; each has a `value` for everybody, or a `field` and a `fallback`. */
  readonly parameters?:
    | Readonly<
        Record<
          string,
          | {
              /** Text for everybody. */
              readonly value: string
            }
          | {
              /** Field of each contact: `name`, `first_name`, `last_name`, `email`, `company`, `phone`, `custom.<key>` or `variables.<key>`. */
              readonly field: string
              /** Text for contacts whose field is empty; null to skip them. */
              readonly fallback?: string | null | undefined
            }
        >
      >
    | undefined
  /** Time at which a scheduled campaign starts by itself. */
  readonly scheduled_at?: string | null | undefined
  /** IANA time zone of the hours; default `Asia/Kolkata`. */
  readonly timezone?: string | undefined
  /** First hour of the day in which messages may go out; default 9. From 0 to 23. */
  readonly quiet_hours_start?: number | undefined
  /** Hour of the day from which on no message goes out; above the start; default 21. From 1 to 24. */
  readonly quiet_hours_end?: number | undefined
  /** Maximum number of messages in a second, 1 to 1000; default null, for what the number has. */
  readonly max_per_second?: number | null | undefined
  /** Maximum number of messages in one day of the campaign's time zone, 1 to 1000000; default null, for no limit. */
  readonly max_per_day?: number | null | undefined
  /** Whether people who have not agreed to be messaged are skipped; default true. */
  readonly require_opt_in?: boolean | undefined
  /** Whether people on the do-not-call list are skipped; default true. */
  readonly respect_do_not_call?: boolean | undefined
  /** Rating of the number or the template at which the campaign pauses; default `red`. */
  readonly pause_on_quality?: "red" | "yellow" | "never" | undefined
  /** Share of failures, in percent, above which the campaign pauses; 100 never pauses it; default 30. From 1 to 100. */
  readonly max_failure_percent?: number | undefined
  /** Whether a message that the platform keeps from a customer for now is sent once more a day later; default false. */
  readonly retry_marketing_limit?: boolean | undefined
  /** Hours after a message within which the customer's next message is its reply; default 72. From 1 to 168. */
  readonly reply_window_hours?: number | undefined
}

export interface TemplateCampaignDryRun {
  /** Number of contacts who wait for a message. */
  readonly contacts: number
  /** Number of contacts to whom a message would be sent. */
  readonly sendable: number
  /** Number of contacts that would be skipped, by the reason. */
  readonly skipped: {
    /** Number of contacts that would be skipped with `opted_out`. */
    readonly opted_out?: number | undefined
    /** Number of contacts that would be skipped with `do_not_call`. */
    readonly do_not_call?: number | undefined
    /** Number of contacts that would be skipped with `blocked`. */
    readonly blocked?: number | undefined
    /** Number of contacts that would be skipped with `own_number`. */
    readonly own_number?: number | undefined
    /** Number of contacts that would be skipped with `no_opt_in`. */
    readonly no_opt_in?: number | undefined
    /** Number of contacts that would be skipped with `missing_variable`. */
    readonly missing_variable?: number | undefined
    /** Number of contacts that would be skipped with `platform`. */
    readonly platform?: number | undefined
    /** Number of contacts that would be skipped with `pair_rate`. */
    readonly pair_rate?: number | undefined
    /** Number of contacts that would be skipped with `marketing_limit`. */
    readonly marketing_limit?: number | undefined
    /** Number of contacts that would be skipped with `experiment`. */
    readonly experiment?: number | undefined
    /** Number of contacts that would be skipped with `undeliverable`. */
    readonly undeliverable?: number | undefined
    /** Number of contacts that would be skipped with `country`. */
    readonly country?: number | undefined
    /** Number of contacts that would be skipped with `invalid_content`. */
    readonly invalid_content?: number | undefined
    /** Number of contacts that would be skipped with `rejected`. */
    readonly rejected?: number | undefined
    /** Number of contacts that would be skipped with `outcome_unknown`. */
    readonly outcome_unknown?: number | undefined
  }
  /** What would refuse the start. */
  readonly errors: ReadonlyArray<{
    /** Name for programs. */
    readonly code: string
    /** What it is, in a sentence. */
    readonly message: string
  }>
  /** What does not refuse the start, and is worth a look. */
  readonly warnings: ReadonlyArray<{
    /** Name for programs. */
    readonly code: string
    /** What it is, in a sentence. */
    readonly message: string
  }>
  /** The first five messages. */
  readonly samples: ReadonlyArray<{
    /** Id of the contact. */
    readonly contact_id: string
    /** Digits of the number, or the chat platform's id of the person. */
    readonly to: string
    /** What is known of the template; of a sample, the template as it would be sent. */
    readonly template: Readonly<Record<string, unknown>>
    /** Words of the message. */
    readonly text: string
  }>
  /** What is known of the template; of a sample, the template as it would be sent. */
  readonly template: {
    /** Name of the template. */
    readonly name: string
    /** Language of the template. */
    readonly language: string
    /** Category of the template, in the chat platform's words; null until it is known. */
    readonly category: string | null
    /** Status of the template, in the chat platform's words; null where there is no such template. */
    readonly status: string | null
    /** Rating of the template, in the chat platform's words; null where none is known. */
    readonly quality: string | null
  }
  /** What is known of the number. */
  readonly number: {
    /** Rating of the number; null where none is known. */
    readonly quality_rating: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | null
    /** How many people the number may write to outside of open reply windows; null where it is not known. */
    readonly messaging_limit: {
      /** Limit in the chat platform's words. */
      readonly tier: string
      /** Number of people in 24 hours; null for no limit. */
      readonly per_day: number | null
    } | null
    /** Number of people who count towards the limit now. */
    readonly used_24h: number
  }
  /** What the messages are likely to cost, by the operator's rates. */
  readonly estimate: {
    /** Category of the template, in the chat platform's words; null until it is known. */
    readonly category: string | null
    /** Number of messages. */
    readonly messages: number
    /** Number of messages that the chat platform takes nothing for. */
    readonly free: number
    /** Currency of the costs. */
    readonly currency: string
    /** Decimal text; null where no rate is for some of the messages. */
    readonly cost: string | null
    /** Messages that are not free, by the rate that is for them. */
    readonly by_prefix: ReadonlyArray<{
      /** First digits of the numbers; empty for all others. */
      readonly prefix: string
      /** Number of messages. */
      readonly messages: number
      /** Decimal text: what one message costs. */
      readonly rate: string
      /** Decimal text; null where no rate is for some of the messages. */
      readonly cost: string
    }>
  }
  /** How long the messages take at the rate of the campaign, hours and limits left out. */
  readonly duration_seconds: number
}

export interface TemplateCampaignLive {
  /** Id of the campaign. */
  readonly campaign_id: string
  /** Status of the campaign, or of the template in the chat platform's words. */
  readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled"
  /** Why the service has paused the campaign; null where it has not. */
  readonly pause_reason:
    | "classification"
    | "spam_rate"
    | "invalid_content"
    | "template_missing"
    | "template_rejected"
    | "template_paused"
    | "template_disabled"
    | "template_deleted"
    | "template_category"
    | "flow_blocked"
    | "marketing_not_permitted"
    | "credentials"
    | "payment"
    | "account_restricted"
    | "quality"
    | "failure_rate"
    | "number_disconnected"
    | "start_refused"
    | null
  /** Number of contacts of each status. */
  readonly by_status: {
    /** Number of contacts whose status is `queued`. */
    readonly queued: number
    /** Number of contacts whose status is `sending`. */
    readonly sending: number
    /** Number of contacts whose status is `sent`. */
    readonly sent: number
    /** Number of contacts whose status is `delivered`. */
    readonly delivered: number
    /** Number of contacts whose status is `read`. */
    readonly read: number
    /** Number of contacts whose status is `skipped`. */
    readonly skipped: number
    /** Number of contacts whose status is `failed`. */
    readonly failed: number
    /** Number of contacts whose status is `unknown`. */
    readonly unknown: number
  }
  /** Messages in a second, over the last ten seconds. */
  readonly messages_per_second: number
  /** Time at which the last message goes out at this rate; null where that cannot be said. */
  readonly eta: string | null
  /** Why contacts were skipped or have failed, the most frequent first; at most 20. */
  readonly failures: ReadonlyArray<{
    /** Why contacts were skipped or have failed, or what the campaign waits for. */
    readonly reason:
      | "opted_out"
      | "do_not_call"
      | "blocked"
      | "own_number"
      | "no_opt_in"
      | "missing_variable"
      | "platform"
      | "pair_rate"
      | "marketing_limit"
      | "experiment"
      | "undeliverable"
      | "country"
      | "invalid_content"
      | "rejected"
      | "outcome_unknown"
    /** Code of the chat platform; null where it named none. */
    readonly code: number | null
    /** Number of these contacts. */
    readonly count: number
  }>
  /** What is known of the template. */
  readonly template: {
    /** Status of the campaign, or of the template in the chat platform's words. */
    readonly status: string | null
    /** Rating of the template, in the chat platform's words; null where none is known. */
    readonly quality: string | null
    /** Category of the template, in the chat platform's words; null until it is known. */
    readonly category: string | null
  }
  /** What is known of the number. */
  readonly number: {
    /** Rating of the number; null where none is known. */
    readonly quality_rating: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | null
    /** How many people the number may write to outside of open reply windows; null where it is not known. */
    readonly messaging_limit: {
      /** Limit in the chat platform's words. */
      readonly tier: string
      /** Number of people in 24 hours; null for no limit. */
      readonly per_day: number | null
    } | null
    /** Number of people who count towards the limit now. */
    readonly used_24h: number
  }
  /** Why no message goes out now; null while one can. */
  readonly waiting_for: {
    /** Why contacts were skipped or have failed, or what the campaign waits for. */
    readonly reason:
      | "not_running"
      | "account"
      | "window"
      | "daily_limit"
      | "platform"
      | "messaging_limit"
      | "nothing_due"
      | "rate"
    /** Time at which it ends, when that is known. */
    readonly until: string | null
  } | null
}

export interface TemplateContact {
  /** Id of the record. */
  readonly id: string
  /** Phone number as it was given; null where only the chat platform's id is known. */
  readonly phone: string | null
  /** The chat platform's id of the person; null where none is known. */
  readonly user_id: string | null
  /** Name of the person; null where none is known. */
  readonly name: string | null
  /** What fills the template for this person: at most 64 texts of up to 1024 characters, by name. */
  readonly variables: Readonly<Record<string, string>>
  /** Whether the person has agreed to be messaged; default false. */
  readonly opted_in: boolean
  /** Status of the contact. */
  readonly status: "queued" | "sending" | "sent" | "delivered" | "read" | "skipped" | "failed" | "unknown"
  /** Why the contact was skipped or has failed; null for all others. */
  readonly reason:
    | "opted_out"
    | "do_not_call"
    | "blocked"
    | "own_number"
    | "no_opt_in"
    | "missing_variable"
    | "platform"
    | "pair_rate"
    | "marketing_limit"
    | "experiment"
    | "undeliverable"
    | "country"
    | "invalid_content"
    | "rejected"
    | "outcome_unknown"
    | null
  /** What went wrong last; null where nothing did. */
  readonly error: {
    /** Code of the chat platform; null where it named none. */
    readonly code: number | null
    /** What went wrong, in a sentence. */
    readonly message: string
  } | null
  /** Number of requests that the chat platform has answered and that count. */
  readonly attempts: number
  /** Time of the next attempt; null when none is due. */
  readonly next_attempt_at: string | null
  /** Whether the chat platform holds the message back for now. */
  readonly held: boolean
  /** Id of the message in its conversation; null before. */
  readonly message_id: string | null
  /** The chat platform's id of the message; null before. */
  readonly msgid: string | null
  /** Id of the conversation that the message is in; null before. */
  readonly conversation_id: string | null
  /** Time at which the chat platform accepted the message; null before. */
  readonly sent_at: string | null
  /** Time at which the message was delivered; null before. */
  readonly delivered_at: string | null
  /** Time at which the message was read; null before. */
  readonly read_at: string | null
  /** Time at which the message failed; null where it has not. */
  readonly failed_at: string | null
  /** Time of the reply; null before. */
  readonly replied_at: string | null
  /** First message of the person within the campaign's hours for replies; null before. */
  readonly reply: {
    /** Id of the message in its conversation; null before. */
    readonly message_id: string
    /** Text of the reply; null where it has none. */
    readonly text: string | null
    /** Payload or title of the button that was tapped; null where none was. */
    readonly button: string | null
  } | null
  /** What the chat platform says of the message's price; null before. */
  readonly pricing: {
    /** Category that the chat platform charges for; null where it names none. */
    readonly category: string | null
    /** Kind of price, in the chat platform's words; null where it names none. */
    readonly type: string | null
    /** Whether the chat platform charges for the message; null where it does not say. */
    readonly billable: boolean | null
  } | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface TemplateExample {
  /** Names the file in `example.header_handle` of a template. */
  readonly handle: string
}

export interface TemplateResults {
  /** The chat platform's id of the template. */
  readonly template_id: string | null
  /** First instant of the interval. */
  readonly start: string | null
  /** Number of messages that the chat platform has accepted. */
  readonly sent: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Number of messages that were delivered, read ones included. */
  readonly delivered: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Number of messages that were read. */
  readonly read: number | "Infinity" | "-Infinity" | "NaN" | null
  /** Taps on buttons; null where the chat platform says nothing of them. */
  readonly clicked: ReadonlyArray<{
    /** Kind of tap, in the chat platform's words. */
    readonly type: string | null
    /** Text of the button. */
    readonly button: string | null
    /** How many. */
    readonly count: number | "Infinity" | "-Infinity" | "NaN" | null
  }> | null
}

export interface TemplateRetry {
  /** Reasons for which contacts have failed who are written to again; default `platform` alone. */
  readonly reasons?:
    | ReadonlyArray<
        "platform" | "pair_rate" | "marketing_limit" | "experiment" | "country" | "invalid_content" | "rejected"
      >
    | null
    | undefined
}

export interface TemplateTrial {
  /** Phone number, with the country code. */
  readonly to?: string | null | undefined
  /** The chat platform's id of the person. */
  readonly user_id?: string | null | undefined
  /** What fills the template for this person: at most 64 texts of up to 1024 characters, by name. */
  readonly variables?: Readonly<Record<string, string>> | null | undefined
}

export interface TokenCount {
  /** Tokens of the input. */
  readonly input_tokens: number
}

export interface Transcript {
  /** The transcript. */
  readonly text: string
}

export interface TranscriptEntry {
  /** Id of the record. */
  readonly id: string
  /** Place in the transcript, from 0. */
  readonly index: number
  /** Who said it; `tool` for a function that the agent called. */
  readonly role: "user" | "assistant" | "tool"
  /** What was said, as it was heard; empty for a function. */
  readonly text: string
  /** Time at which it began. */
  readonly started_at: string
  /** Milliseconds from the beginning of the session. */
  readonly offset_ms: number
  /** How long it was heard; null where that was not measured. */
  readonly duration_ms: number | null
  /** True where the caller did not let the agent finish. */
  readonly interrupted: boolean
  /** Model that made the text. */
  readonly model: string | null
  /** Milliseconds from the end of speech to the decision that the turn is over. */
  readonly eou_ms: number | null
  /** Milliseconds that the speech-to-text model took. */
  readonly stt_ms: number | null
  /** Milliseconds to the first token of the language model. */
  readonly llm_ms: number | null
  /** Milliseconds to the first sound of the text-to-speech model. */
  readonly tts_ms: number | null
  /** Milliseconds from the end of speech to the first sound of the reply. */
  readonly total_ms: number | null
  /** The function that was called; null for what was said. */
  readonly tool: TranscriptTool | null
}

export interface TranscriptTool {
  /** Name of the function. */
  readonly name: string
  /** Arguments as a JSON text. */
  readonly arguments: string
  /** What it returned; null while it runs. */
  readonly result: string | null
}

export interface UnblockedPeople {
  /** Who may write again. */
  readonly unblocked: ReadonlyArray<{
    /** The person as the request named it. */
    readonly input: string
    /** The chat platform's id of the person. */
    readonly user_id: string | null
  }>
  /** Whom the chat platform has not blocked, or not let write again. */
  readonly failed: ReadonlyArray<{
    /** The person as the request named it. */
    readonly input: string
    /** The chat platform's code; null where it named none. */
    readonly code: number | null
  }>
}

export interface UploadedMedia {
  /** The chat platform's id of the file. */
  readonly id: string
}

export interface UsageInterval {
  /** First instant of the interval. */
  readonly start: string
  /** Service, model or id of the key; null where nothing is divided, and for what no key was used for. */
  readonly group: string | null
  /** Number of requests. */
  readonly calls: number
  /** Credits that were charged. */
  readonly credits: number | "Infinity" | "-Infinity" | "NaN"
  /** The same in US dollars. */
  readonly cost_usd: number | "Infinity" | "-Infinity" | "NaN"
  /** Tokens of input that were not cached. */
  readonly input_tokens: number
  /** Tokens of output. */
  readonly output_tokens: number
  /** Seconds of audio. */
  readonly audio_seconds: number
}

export interface UsageOfService {
  /** Number of requests. */
  readonly calls: number
  /** Tokens of input that were not cached. */
  readonly input_tokens: number
  /** Tokens of output. */
  readonly output_tokens: number
  /** Tokens of input that were read from a cache. */
  readonly cache_read_tokens: number
  /** Tokens of input that were written to a cache. */
  readonly cache_creation_tokens: number
  /** Seconds of audio. */
  readonly audio_seconds: number
  /** Credits that were charged. */
  readonly credits: number | "Infinity" | "-Infinity" | "NaN"
  /** The same in US dollars. */
  readonly cost_usd: number | "Infinity" | "-Infinity" | "NaN"
}

export interface UsageRow {
  /** Id of the record. */
  readonly id: string
  /** Time at which the record was created. */
  readonly created_at: string
  /** `X-Request-Id` of the answer. */
  readonly request_id: string
  /** Id of the API key; null where no key was used. */
  readonly key_id: string | null
  /** Service that was used. */
  readonly service: "llm" | "stt" | "tts" | "image" | "embedding" | "search"
  /** Model that was used. */
  readonly model: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Number of units that were used. */
  readonly units: number
  /** Kind of unit. */
  readonly unit: "seconds" | "tokens" | "characters" | "images" | "queries"
  /** Tokens of input that were not cached. */
  readonly input_tokens: number
  /** Tokens of output. */
  readonly output_tokens: number
  /** Tokens of input that were read from a cache. */
  readonly cache_read_tokens: number
  /** Tokens of input that were written to a cache. */
  readonly cache_creation_tokens: number
  /** Credits that were charged. */
  readonly credits: number | "Infinity" | "-Infinity" | "NaN"
  /** The same in US dollars. */
  readonly cost_usd: number | "Infinity" | "-Infinity" | "NaN"
  /** Milliseconds from the request to its answer. */
  readonly latency_ms: number
  /** `X-Session-Id` of the request. */
  readonly session_id: string | null
  /** `X-Trace-Id` of the request. */
  readonly trace_id: string | null
}

export interface UsageSummary {
  /** Number of requests. */
  readonly total_calls: number
  /** Tokens of input that were not cached. */
  readonly total_input_tokens: number
  /** Tokens of output. */
  readonly total_output_tokens: number
  /** Tokens of input that were read from a cache. */
  readonly total_cache_read_tokens: number
  /** Tokens of input that were written to a cache. */
  readonly total_cache_creation_tokens: number
  /** Seconds of audio. */
  readonly total_audio_seconds: number
  /** Credits that were charged. */
  readonly total_credits: number | "Infinity" | "-Infinity" | "NaN"
  /** The same in US dollars. */
  readonly total_cost_usd: number | "Infinity" | "-Infinity" | "NaN"
  /** Sums by service; a service that was not used is absent. */
  readonly services: {
    /** Language models. */
    readonly llm?: UsageOfService | undefined
    /** Speech to text. */
    readonly stt?: UsageOfService | undefined
    /** Text to speech. */
    readonly tts?: UsageOfService | undefined
    /** Images. */
    readonly image?: UsageOfService | undefined
    /** Embeddings. */
    readonly embedding?: UsageOfService | undefined
    /** Searches. */
    readonly search?: UsageOfService | undefined
  }
}

export interface VerboseTranscript {
  /** What was done. */
  readonly task: "transcribe" | "translate"
  /** Code of the language that is spoken. */
  readonly language: string
  /** Seconds that were charged. */
  readonly duration: number
  /** The transcript. */
  readonly text: string
  /** Parts of the transcript by speaker; empty where the model does not distinguish them. */
  readonly segments: ReadonlyArray<{
    /** Id of the segment. */
    readonly id: string
    /** Speaker of the segment. */
    readonly speaker: string
    /** Start of the segment in seconds. */
    readonly start: number | "Infinity" | "-Infinity" | "NaN"
    /** End of the segment in seconds. */
    readonly end: number | "Infinity" | "-Infinity" | "NaN"
    /** The transcript. */
    readonly text: string
  }>
  /** Always empty. */
  readonly words: ReadonlyArray<unknown>
}

export interface VoiceAlert {
  /** Id of the record. */
  readonly id: string
  /** Name; 1 to 120 characters. */
  readonly name: string
  /** What is measured; it cannot be changed. */
  readonly metric:
    | "connect_rate"
    | "failure_rate"
    | "call_volume"
    | "session_failure_rate"
    | "hangup_rate"
    | "latency_p95"
    | "average_duration"
  /** Side of the threshold on which the alert fires; default `above`. */
  readonly comparison: "above" | "below"
  /** Value beyond which the alert fires; 0 or more, 0 to 1 for a rate. */
  readonly threshold: number
  /** Seconds over which the metric is measured; 60 to 86400, default 3600. */
  readonly window_seconds: number
  /** Agent whose calls and sessions count; null for all; it cannot be changed. */
  readonly bot_id: string | null
  /** False while the alert is not evaluated; default true. */
  readonly enabled: boolean
  /** Seconds after it fired in which it does not fire again; 0 to 604800, default 3600. */
  readonly cooldown_seconds: number
  /** True from the event until the metric has recovered. */
  readonly is_firing: boolean
  /** Last reading of the metric; null before the first. */
  readonly last_value: number | null
  /** Time at which it last fired; null when it never did. */
  readonly last_fired_at: string | null
  /** Time at which it was last evaluated; null before. */
  readonly last_evaluated_at: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface VoiceAlertChange {
  /** Name; 1 to 120 characters. */
  readonly name?: string | undefined
  /** Side of the threshold on which the alert fires; default `above`. */
  readonly comparison?: "above" | "below" | undefined
  /** Value beyond which the alert fires; 0 or more, 0 to 1 for a rate. */
  readonly threshold?: number | undefined
  /** Seconds over which the metric is measured; 60 to 86400, default 3600. From 60 to 86400. */
  readonly window_seconds?: number | undefined
  /** False while the alert is not evaluated; default true. */
  readonly enabled?: boolean | undefined
  /** Seconds after it fired in which it does not fire again; 0 to 604800, default 3600. From 0 to 604800. */
  readonly cooldown_seconds?: number | undefined
}

export interface VoiceSession {
  /** Id of the record. */
  readonly id: string
  /** Agent that speaks; null where a client has described its own. */
  readonly bot_id: string | null
  /** Telephone call of the session; null without one. */
  readonly call_id: string | null
  /** Status of the session. */
  readonly status: "created" | "active" | "completed" | "failed" | "timeout"
  /** Token to connect with; null when it is no longer valid. */
  readonly token: string | null
  /** Time at which the token expires. */
  readonly token_expires_at: string
  /** Maximum seconds from the connection on, up to 7200; default 1800. */
  readonly max_duration_seconds: number
  /** Speech-to-text model; default: the agent's. */
  readonly stt_model: string | null
  /** Code of the language that is spoken; default: the agent's. */
  readonly language: string | null
  /** Language model; default: the agent's. */
  readonly llm_model: string | null
  /** Text-to-speech model; default: the agent's. */
  readonly tts_model: string | null
  /** Voice of the text-to-speech model; default: the agent's. */
  readonly voice: string | null
  /** Notes of the account; up to 4 KiB of JSON. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Time of the connection; null before. */
  readonly started_at: string | null
  /** Time at which the session ended; null before. */
  readonly ended_at: string | null
  /** Seconds from the connection to the end; null before. */
  readonly duration_seconds: number | null
  /** Why the session ended; null before. */
  readonly end_reason: string | null
  /** Number of the caller's turns. */
  readonly turn_count: number
  /** Credits that the session's models cost, once it has ended. */
  readonly credits: number
  /** Whether there is a recording. */
  readonly recording: "none" | "available" | "deleted"
  /** Time at which the record was created. */
  readonly created_at: string
  /** Address of the WebSocket to connect to. */
  readonly url: string
  /** What a model has found out about the conversation; null without one, and in lists. */
  readonly analysis: VoiceSessionAnalysis | null
}

export interface VoiceSessionAnalysis {
  /** Id of the analysis. */
  readonly id: string
  /** Status of the analysis. */
  readonly status: "pending" | "completed" | "failed"
  /** What was said, in short; null until it is completed. */
  readonly summary: string | null
  /** The one of the agent's outcomes that fits; null for none. */
  readonly outcome: string | null
  /** The caller's sentiment; null where it is not known. */
  readonly sentiment: "positive" | "neutral" | "negative" | null
  /** How well it went, from 0 to 1; null where it is not known. */
  readonly score: number | null
  /** The agent's fields by name; null until it is completed. */
  readonly results: Readonly<Record<string, unknown>> | null
  /** Language model that was asked; null before. */
  readonly model: string | null
  /** Why it failed; null when it did not. */
  readonly error: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time at which it was completed or failed; null before. */
  readonly completed_at: string | null
}

export interface VoiceSessionCallCost {
  /** Credits that were charged. */
  readonly credits: number
  /** Started minutes. */
  readonly minutes: number
}

export interface VoiceSessionCost {
  /** Id of the voice session. */
  readonly session_id: string
  /** Credits of models and call together. */
  readonly total_credits: number
  /** What each model cost. */
  readonly items: ReadonlyArray<VoiceSessionCostItem>
  /** What the call cost; null without one. */
  readonly call: VoiceSessionCallCost | null
}

export interface VoiceSessionCostItem {
  /** Service that was used. */
  readonly service: "llm" | "stt" | "tts" | "image" | "embedding" | "search"
  /** Model that was used. */
  readonly model: string
  /** Credits that were charged. */
  readonly credits: number
  /** Tokens of input that were not cached. */
  readonly input_tokens: number
  /** Tokens of output. */
  readonly output_tokens: number
  /** Seconds of audio. */
  readonly audio_seconds: number
  /** Characters that were spoken. */
  readonly characters: number
}

export interface VoicemailTemplate {
  /** Id of the record. */
  readonly id: string
  /** Name in lists; 1 to 255 characters. */
  readonly name: string
  /** Text to speak; up to 3000 characters; null when there is a file. */
  readonly text: string | null
  /** URL of the audio file to play; null when there is a text. */
  readonly audio_url: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

export interface VoicemailTemplateChange {
  /** Name in lists; 1 to 255 characters. */
  readonly name?: string | undefined
  /** Text to speak; up to 3000 characters; null when there is a file. */
  readonly text?: string | null | undefined
  /** URL of the audio file to play; null when there is a text. */
  readonly audio_url?: string | null | undefined
}

export interface Webhook {
  /** Id of the record. */
  readonly id: string
  /** Id of the account. */
  readonly tenant_id: string
  /** URL of the endpoint; up to 2048 characters. */
  readonly url: string
  /** Secret that signs deliveries; masked unless it is new. */
  readonly secret: string
  /** Names of the events to send; empty for every event. */
  readonly events: ReadonlyArray<string>
  /** False while the webhook is paused. */
  readonly is_active: boolean
  /** Agent whose events are sent; null for all. */
  readonly bot_id: string | null
  /** `standard`: 5 attempts within a minute; `long`: 13 attempts in three days. */
  readonly retry_schedule: "standard" | "long"
  /** Days of failures after which the webhook pauses itself; null for never. */
  readonly pause_after_days: number | null
  /** Time since which every delivery has failed; null when none has. */
  readonly failing_since: string | null
  /** Time until which the old secret signs as well. */
  readonly previous_secret_until: string | null
  /** Time at which the record was created. */
  readonly created_at: string
}

export interface WebhookChange {
  /** URL of the endpoint; up to 2048 characters. */
  readonly url?: string | undefined
  /** Names of the events to send; empty for every event. */
  readonly events?:
    | ReadonlyArray<
        | "conversation.started"
        | "conversation.ended"
        | "message.received"
        | "message.sent"
        | "message.status"
        | "number.status"
        | "template.status"
        | "contact.preference"
        | "voice_session.started"
        | "voice_session.ended"
        | "voice_session.failed"
        | "call.started"
        | "call.completed"
        | "call.failed"
        | "call.amd_detected"
        | "voice_analysis.completed"
        | "campaign.started"
        | "campaign.completed"
        | "campaign.failed"
        | "voice_alert.triggered"
        | "budget.alert"
        | "budget.exceeded"
        | "credits.low"
        | "api_key.expired"
        | "invoice.created"
        | "payment.succeeded"
        | "payment.failed"
        | "payment_request.partially_paid"
        | "payment_request.paid"
        | "payment_request.expired"
        | "payment_request.cancelled"
      >
    | undefined
  /** False while the webhook is paused. */
  readonly is_active?: boolean | undefined
  /** Agent whose events are sent; null for all. */
  readonly bot_id?: string | null | undefined
  /** True to send the events of all agents. */
  readonly clear_bot_id?: boolean | undefined
  /** `standard`: 5 attempts within a minute; `long`: 13 attempts in three days. */
  readonly retry_schedule?: "standard" | "long" | undefined
  /** Days of failures after which the webhook pauses itself; null for never. */
  readonly pause_after_days?: number | null | undefined
}

export interface WebhookDelivery {
  /** Id of the record. */
  readonly id: string
  /** Id of the webhook. */
  readonly webhook_id: string
  /** Name of the event. */
  readonly event: string
  /** Status of the delivery. */
  readonly status: "pending" | "delivered" | "failed" | "blocked"
  /** Status of the endpoint's last answer; null when there was none. */
  readonly status_code: number | null
  /** Number of attempts so far. */
  readonly attempts: number
  /** True when the endpoint answered with a status from 200 to 299. */
  readonly success: boolean
  /** Why it failed; null when it did not. */
  readonly error: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time at which the endpoint accepted it; null while it has not. */
  readonly delivered_at: string | null
  /** Time of the next attempt; null while one runs and when none follows. */
  readonly next_attempt_at: string | null
}

export interface WebhookDeliveryDetail {
  /** Id of the record. */
  readonly id: string
  /** Id of the webhook. */
  readonly webhook_id: string
  /** Name of the event. */
  readonly event: string
  /** Status of the delivery. */
  readonly status: "pending" | "delivered" | "failed" | "blocked"
  /** Status of the endpoint's last answer; null when there was none. */
  readonly status_code: number | null
  /** Number of attempts so far. */
  readonly attempts: number
  /** True when the endpoint answered with a status from 200 to 299. */
  readonly success: boolean
  /** Why it failed; null when it did not. */
  readonly error: string | null
  /** Time at which the record was created. */
  readonly created_at: string
  /** Time at which the endpoint accepted it; null while it has not. */
  readonly delivered_at: string | null
  /** Time of the next attempt; null while one runs and when none follows. */
  readonly next_attempt_at: string | null
  /** Body that is sent. */
  readonly payload: unknown
}
