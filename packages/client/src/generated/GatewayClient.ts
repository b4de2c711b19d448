/** The area gateway: made from the contract by ClientFiles.test.ts. */

import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, FormFile, KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type { ServerEvents } from "../ServerEvents.ts"
import type {
  Batch,
  ChatCompletion,
  ChatCompletionRequest,
  CountTokensRequest,
  DeletedFile,
  DeletedResponse,
  DiarizedTranscript,
  EmbeddingList,
  EmbeddingsRequest,
  File,
  ImageList,
  ImagesRequest,
  InputTokens,
  InputTokensRequest,
  MessagesRequest,
  Model,
  ModelAccess,
  ModelList,
  ModelMessage,
  NewBatch,
  NewSearch,
  PlanUsage,
  Response,
  ResponseInputItem,
  ResponsesRequest,
  Search,
  SpeechRequest,
  TokenCount,
  Transcript,
  UsageInterval,
  UsageRow,
  UsageSummary,
  VerboseTranscript
} from "./Records.ts"

export interface BatchesMethods {
  /**
   * Create a batch.
   *
   * Runs the requests of an uploaded file in the background; the results are files again. An API key needs the permission `llm`.
   */
  create(body: NewBatch, options?: KeyedRequestOptions): Promise<Batch>
  /**
   * List batches.
   *
   * Returns the account's batches, newest first. An API key needs the permission `llm`.
   */
  list(
    query?: {
      /** Number of batches to return; default 20. From 1 to 100. */
      readonly limit?: number | undefined
      /** Id of the batch after which the page begins. */
      readonly after?: string | undefined
    },
    options?: RequestOptions
  ): List<Batch>
  /**
   * Get a batch.
   *
   * Returns one batch as it is now. An API key needs the permission `llm`.
   */
  get(batchId: string, options?: RequestOptions): Promise<Batch>
  /**
   * Cancel a batch.
   *
   * Starts no further request of a batch; those that run end and are billed. An API key needs the permission `llm`.
   */
  cancel(batchId: string, options?: KeyedRequestOptions): Promise<Batch>
}

export interface FilesMethods {
  /**
   * Upload a file.
   *
   * Stores the requests of a batch, one line of JSON for each. An API key needs the permission `llm`.
   */
  upload(
    body: {
      /** File, with one request in JSON on each line. */
      readonly file: FormFile
      /** Purpose of the file: `batch`; results have `batch_output`. */
      readonly purpose?: string | undefined
      /** Instant from which the seconds count: `created_at`. */
      readonly "expires_after[anchor]"?: "created_at" | undefined
      /** Seconds after which the file is gone; default: never. From 3600 to 2592000. */
      readonly "expires_after[seconds]"?: number | undefined
    },
    options?: KeyedRequestOptions
  ): Promise<File>
  /**
   * List files.
   *
   * Returns the account's files, newest first. An API key needs the permission `llm`.
   */
  list(
    query?: {
      /** Number of files to return; default 100. From 1 to 1000. */
      readonly limit?: number | undefined
      /** Id of the file after which the page begins. */
      readonly after?: string | undefined
      /** Order of creation; default `desc`, newest first. */
      readonly order?: "asc" | "desc" | undefined
      /** Returns only files with this purpose. */
      readonly purpose?: string | undefined
    },
    options?: RequestOptions
  ): List<File>
  /**
   * Get a file.
   *
   * Returns what is known about a file. An API key needs the permission `llm`.
   */
  get(fileId: string, options?: RequestOptions): Promise<File>
  /**
   * Delete a file.
   *
   * Deletes a file and frees its bytes at once; refused while a batch that has not ended reads it. An API key needs the permission `llm`.
   */
  remove(fileId: string, options?: RequestOptions): Promise<DeletedFile>
  /**
   * Get the content of a file.
   *
   * Returns the bytes of a file. An API key needs the permission `llm`.
   */
  content(fileId: string, options?: RequestOptions): Promise<FileResponse>
}

export interface LlmMethods {
  /**
   * Create a chat completion.
   *
   * Answers a conversation in the form of OpenAI's Chat Completions API, whole or as a stream of events. An API key needs the permission `llm`.
   */
  chat(body: ChatCompletionRequest & { readonly stream: true }, options?: KeyedRequestOptions): Promise<ServerEvents>
  /**
   * Create a chat completion.
   *
   * Answers a conversation in the form of OpenAI's Chat Completions API, whole or as a stream of events. An API key needs the permission `llm`.
   */
  chat(
    body: ChatCompletionRequest & { readonly stream?: false | null | undefined },
    options?: KeyedRequestOptions
  ): Promise<ChatCompletion>
  /**
   * Create a response.
   *
   * Answers an input in the form of OpenAI's Responses API, whole or as a stream of events. An API key needs the permission `llm`.
   */
  responses(body: ResponsesRequest & { readonly stream: true }, options?: KeyedRequestOptions): Promise<ServerEvents>
  /**
   * Create a response.
   *
   * Answers an input in the form of OpenAI's Responses API, whole or as a stream of events. An API key needs the permission `llm`.
   */
  responses(
    body: ResponsesRequest & { readonly stream?: false | null | undefined },
    options?: KeyedRequestOptions
  ): Promise<Response>
  /**
   * Count the tokens of a response's input.
   *
   * Counts the tokens of an input with all that it continues, by the upstream or by estimate, and costs nothing. An API key needs the permission `llm`.
   */
  inputTokens(body: InputTokensRequest, options?: KeyedRequestOptions): Promise<InputTokens>
}

export interface MessagesMethods {
  /**
   * Create a message.
   *
   * Answers a conversation in the form of Anthropic's Messages API, whole or as a stream of events. An API key needs the permission `llm`.
   */
  create(body: MessagesRequest & { readonly stream: true }, options?: KeyedRequestOptions): Promise<ServerEvents>
  /**
   * Create a message.
   *
   * Answers a conversation in the form of Anthropic's Messages API, whole or as a stream of events. An API key needs the permission `llm`.
   */
  create(
    body: MessagesRequest & { readonly stream?: false | null | undefined },
    options?: KeyedRequestOptions
  ): Promise<ModelMessage>
  /**
   * Count the tokens of a message.
   *
   * Counts the tokens of the input of a message, by the upstream or by estimate, and costs nothing. An API key needs the permission `llm`.
   */
  countTokens(body: CountTokensRequest, options?: KeyedRequestOptions): Promise<TokenCount>
}

export interface KeptResponsesMethods {
  /**
   * Get a response.
   *
   * Returns a kept response as it was answered. An API key needs the permission `llm`.
   */
  get(responseId: string, options?: RequestOptions): Promise<Response>
  /**
   * Delete a response.
   *
   * Deletes a kept response with its items. An API key needs the permission `llm`.
   */
  remove(responseId: string, options?: RequestOptions): Promise<DeletedResponse>
  /**
   * List the input of a response.
   *
   * Returns the items of a kept response's own input, the last one first. An API key needs the permission `llm`.
   */
  inputItems(
    responseId: string,
    query?: {
      /** Most items of the page, 1 to 100; default 20. From 1 to 100. */
      readonly limit?: number | undefined
      /** `desc`, the default, begins with the last item of the input; `asc` with the first. */
      readonly order?: "asc" | "desc" | undefined
      /** Id of the item after which the page begins. */
      readonly after?: string | undefined
    },
    options?: RequestOptions
  ): List<ResponseInputItem>
}

export interface WebSearchMethods {
  /**
   * Search the web.
   *
   * Searches the web through a provider and charges for one query, whatever is found. An API key needs the permission `search`.
   */
  search(body: NewSearch, options?: KeyedRequestOptions): Promise<Search>
}

export interface SpeechSynthesisMethods {
  /**
   * Create speech.
   *
   * Speaks a text, sends the audio as it comes, and charges for every character of the text. An API key needs the permission `tts`.
   */
  speak(body: SpeechRequest, options?: KeyedRequestOptions): Promise<FileResponse>
}

export interface EmbeddingsMethods {
  /**
   * Create embeddings.
   *
   * Returns a vector for each input, in the form of OpenAI's embeddings API. An API key needs the permission `llm`.
   */
  embed(body: EmbeddingsRequest, options?: KeyedRequestOptions): Promise<EmbeddingList>
}

export interface ImagesMethods {
  /**
   * Create images.
   *
   * Makes images from a prompt, in the form of OpenAI's images API. An API key needs the permission `image`.
   */
  generate(body: ImagesRequest, options?: KeyedRequestOptions): Promise<ImageList>
}

export interface ModelsMethods {
  /**
   * List models.
   *
   * Returns every model with its price, its limits and the plans that may use it.
   */
  list(options?: RequestOptions): Promise<ReadonlyArray<Model>>
  /**
   * List models for voice sessions.
   *
   * Returns the models that voice sessions may use.
   */
  listVoice(options?: RequestOptions): Promise<ReadonlyArray<Model>>
  /**
   * List models by plan.
   *
   * Returns the models that each plan may use; it needs no API key.
   */
  access(options?: RequestOptions): Promise<ModelAccess>
}

export interface InferenceModelsMethods {
  /**
   * List models for client libraries.
   *
   * Returns every model in the form that OpenAI's client libraries read.
   */
  list(options?: RequestOptions): Promise<ModelList>
  /**
   * Get a model.
   *
   * Returns one model in the form that OpenAI's client libraries read.
   */
  get(model: string, options?: RequestOptions): Promise<Model>
}

export interface AudioMethods {
  /**
   * Transcribe a recording.
   *
   * Transcribes a recording in the language in which it is spoken and charges for every second of it. An API key needs the permission `stt`.
   */
  transcribe(
    body: {
      /** Recording. */
      readonly file: FormFile
      /** Model to use; default `saaras:v3`. */
      readonly model?: string | undefined
      /** Form of the answer; default `json`. */
      readonly response_format?: "json" | "text" | "verbose_json" | "diarized_json" | undefined
      /** Accepted from 0 to 2, and not used. From 0 to 2. */
      readonly temperature?: number | undefined
      /** Accepted, and not used. */
      readonly prompt?: string | undefined
      /** Code of the language that is spoken; detected when it is absent. */
      readonly language?: string | undefined
      /** True to get the transcript as server-sent events. Default false. */
      readonly stream?: boolean | undefined
      /** Accepted as `segment`; no model has times of words. */
      readonly timestamp_granularities?: ReadonlyArray<"segment"> | undefined
      /** Accepted as `auto`; the service cuts the recording itself. */
      readonly chunking_strategy?: "auto" | undefined
      /** Output mode, where the model supports it; default `transcribe`. */
      readonly mode?: "transcribe" | "translate" | "verbatim" | "translit" | "codemix" | undefined
      /** True to distinguish speakers. */
      readonly diarize?: boolean | undefined
      /** True to split the transcript at pauses. */
      readonly utterances?: boolean | undefined
      /** Seconds of silence that end an utterance, from 0 to 10. From 0 to 10. */
      readonly utt_split?: number | undefined
      /** True to split the transcript into paragraphs. */
      readonly paragraphs?: boolean | undefined
      /** True to write numbers as digits. */
      readonly numerals?: boolean | undefined
      /** True to abbreviate units of measurement. */
      readonly measurements?: boolean | undefined
      /** True to turn spoken punctuation into signs. */
      readonly dictation?: boolean | undefined
      /** True to remove profanity. */
      readonly profanity_filter?: boolean | undefined
      /** True to keep words such as uh. */
      readonly filler_words?: boolean | undefined
      /** True to transcribe each channel by itself. */
      readonly multichannel?: boolean | undefined
      /** True to detect names, places and the like. */
      readonly detect_entities?: boolean | undefined
      /** True to detect the language, or the codes to choose from. */
      readonly detect_language?: ReadonlyArray<string> | undefined
      /** Kinds of information to remove. */
      readonly redact?: ReadonlyArray<string> | undefined
      /** Terms to recognise. */
      readonly keyterm?: ReadonlyArray<string> | undefined
      /** Words to recognise, with a weight if need be. */
      readonly keywords?: ReadonlyArray<string> | undefined
      /** Terms to search for. */
      readonly search?: ReadonlyArray<string> | undefined
      /** Words to replace, as `word:replacement`. */
      readonly replace?: ReadonlyArray<string> | undefined
    } & { readonly stream: true },
    options?: KeyedRequestOptions
  ): Promise<ServerEvents>
  /**
   * Transcribe a recording.
   *
   * Transcribes a recording in the language in which it is spoken and charges for every second of it. An API key needs the permission `stt`.
   */
  transcribe(
    body: {
      /** Recording. */
      readonly file: FormFile
      /** Model to use; default `saaras:v3`. */
      readonly model?: string | undefined
      /** Form of the answer; default `json`. */
      readonly response_format?: "json" | "text" | "verbose_json" | "diarized_json" | undefined
      /** Accepted from 0 to 2, and not used. From 0 to 2. */
      readonly temperature?: number | undefined
      /** Accepted, and not used. */
      readonly prompt?: string | undefined
      /** Code of the language that is spoken; detected when it is absent. */
      readonly language?: string | undefined
      /** True to get the transcript as server-sent events. Default false. */
      readonly stream?: boolean | undefined
      /** Accepted as `segment`; no model has times of words. */
      readonly timestamp_granularities?: ReadonlyArray<"segment"> | undefined
      /** Accepted as `auto`; the service cuts the recording itself. */
      readonly chunking_strategy?: "auto" | undefined
      /** Output mode, where the model supports it; default `transcribe`. */
      readonly mode?: "transcribe" | "translate" | "verbatim" | "translit" | "codemix" | undefined
      /** True to distinguish speakers. */
      readonly diarize?: boolean | undefined
      /** True to split the transcript at pauses. */
      readonly utterances?: boolean | undefined
      /** Seconds of silence that end an utterance, from 0 to 10. From 0 to 10. */
      readonly utt_split?: number | undefined
      /** True to split the transcript into paragraphs. */
      readonly paragraphs?: boolean | undefined
      /** True to write numbers as digits. */
      readonly numerals?: boolean | undefined
      /** True to abbreviate units of measurement. */
      readonly measurements?: boolean | undefined
      /** True to turn spoken punctuation into signs. */
      readonly dictation?: boolean | undefined
      /** True to remove profanity. */
      readonly profanity_filter?: boolean | undefined
      /** True to keep words such as uh. */
      readonly filler_words?: boolean | undefined
      /** True to transcribe each channel by itself. */
      readonly multichannel?: boolean | undefined
      /** True to detect names, places and the like. */
      readonly detect_entities?: boolean | undefined
      /** True to detect the language, or the codes to choose from. */
      readonly detect_language?: ReadonlyArray<string> | undefined
      /** Kinds of information to remove. */
      readonly redact?: ReadonlyArray<string> | undefined
      /** Terms to recognise. */
      readonly keyterm?: ReadonlyArray<string> | undefined
      /** Words to recognise, with a weight if need be. */
      readonly keywords?: ReadonlyArray<string> | undefined
      /** Terms to search for. */
      readonly search?: ReadonlyArray<string> | undefined
      /** Words to replace, as `word:replacement`. */
      readonly replace?: ReadonlyArray<string> | undefined
    } & { readonly stream?: false | null | undefined },
    options?: KeyedRequestOptions
  ): Promise<VerboseTranscript | DiarizedTranscript | Transcript | string>
  /**
   * Translate a recording.
   *
   * Transcribes a recording in English, whatever language is spoken, and charges for every second of it. An API key needs the permission `stt`.
   */
  translate(
    body: {
      /** Recording. */
      readonly file: FormFile
      /** Model to use; default `saaras:v3`. */
      readonly model?: string | undefined
      /** Form of the answer; default `json`. */
      readonly response_format?: "json" | "text" | "verbose_json" | "diarized_json" | undefined
      /** Accepted from 0 to 2, and not used. From 0 to 2. */
      readonly temperature?: number | undefined
      /** Accepted, and not used. */
      readonly prompt?: string | undefined
    },
    options?: KeyedRequestOptions
  ): Promise<VerboseTranscript | Transcript | string>
}

export interface UsageMethods {
  /**
   * Get a summary of usage.
   *
   * Returns what was used and what it cost, in total and by service. An API key needs the scope `usage:read`.
   */
  summary(
    query?: {
      /** Counts only this service. */
      readonly service?: "llm" | "stt" | "tts" | "image" | "embedding" | "search" | undefined
      /** Counts only this model. */
      readonly model?: string | undefined
      /** Counts only the key with this id. */
      readonly key?: string | undefined
      /** Counts only requests with this X-Session-Id. */
      readonly session_id?: string | undefined
      /** Counts only requests with this X-Trace-Id. */
      readonly trace_id?: string | undefined
      /** Start of the period; at most 90 days ago. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
    },
    options?: RequestOptions
  ): Promise<UsageSummary>
  /**
   * Get usage over time.
   *
   * Returns sums by hour, day or month of a time zone, oldest first, for the last 30 days unless the query says otherwise. An API key needs the scope `usage:read`.
   */
  series(
    query?: {
      /** Counts only this service. */
      readonly service?: "llm" | "stt" | "tts" | "image" | "embedding" | "search" | undefined
      /** Counts only this model. */
      readonly model?: string | undefined
      /** Counts only the key with this id. */
      readonly key?: string | undefined
      /** Counts only requests with this X-Session-Id. */
      readonly session_id?: string | undefined
      /** Counts only requests with this X-Trace-Id. */
      readonly trace_id?: string | undefined
      /** Start of the period; at most 90 days ago. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
      /** `hour`, `day` or `month` of the time zone; `day` by default. */
      readonly interval?: "hour" | "day" | "month" | undefined
      /** IANA name of the time zone; `UTC` by default. */
      readonly timezone?: string | undefined
      /** Divides each interval by `service`, `model` or `key`; one without usage is left out then. */
      readonly by?: "service" | "model" | "key" | undefined
    },
    options?: RequestOptions
  ): Promise<ReadonlyArray<UsageInterval>>
  /**
   * List the usage log.
   *
   * Returns one row for each request with its units, cost and duration, newest first. An API key needs the scope `usage:read`.
   */
  listLogs(
    query?: {
      /** Counts only this service. */
      readonly service?: "llm" | "stt" | "tts" | "image" | "embedding" | "search" | undefined
      /** Counts only this model. */
      readonly model?: string | undefined
      /** Counts only the key with this id. */
      readonly key?: string | undefined
      /** Counts only requests with this X-Session-Id. */
      readonly session_id?: string | undefined
      /** Counts only requests with this X-Trace-Id. */
      readonly trace_id?: string | undefined
      /** Start of the period; at most 90 days ago. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<UsageRow>
  /**
   * Export the usage log.
   *
   * Returns all rows of the usage log as a CSV file. An API key needs the scope `usage:read`.
   */
  exportLogs(
    query?: {
      /** Counts only this service. */
      readonly service?: "llm" | "stt" | "tts" | "image" | "embedding" | "search" | undefined
      /** Counts only this model. */
      readonly model?: string | undefined
      /** Counts only the key with this id. */
      readonly key?: string | undefined
      /** Counts only requests with this X-Session-Id. */
      readonly session_id?: string | undefined
      /** Counts only requests with this X-Trace-Id. */
      readonly trace_id?: string | undefined
      /** Start of the period; at most 90 days ago. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
    },
    options?: RequestOptions
  ): Promise<FileResponse>
  /**
   * Get the usage of the plan.
   *
   * Returns what was used of the plan in the calendar month, with what runs, and the plan's limits. An API key needs the scope `usage:read`.
   */
  plan(options?: RequestOptions): Promise<PlanUsage>
}

/** The routes of the area gateway. */
export interface GatewayClient {
  readonly batches: BatchesMethods
  readonly files: FilesMethods
  readonly llm: LlmMethods
  readonly messages: MessagesMethods
  readonly keptResponses: KeptResponsesMethods
  readonly webSearch: WebSearchMethods
  readonly speechSynthesis: SpeechSynthesisMethods
  readonly embeddings: EmbeddingsMethods
  readonly images: ImagesMethods
  readonly models: ModelsMethods
  readonly inferenceModels: InferenceModelsMethods
  readonly audio: AudioMethods
  readonly usage: UsageMethods
}

/** For the `areas` of `createClient`. */
export const gateway: ClientArea<GatewayClient> = clientArea({
  batches: {
    create: { method: "POST", path: "/v1/batches", takes: ["json"], key: "named" },
    list: { method: "GET", path: "/v1/batches", takes: ["query"], pages: "after" },
    get: { method: "GET", path: "/v1/batches/{batch_id}" },
    cancel: { method: "POST", path: "/v1/batches/{batch_id}/cancel", key: "named" }
  },
  files: {
    upload: { method: "POST", path: "/v1/files", takes: ["form"], key: "named" },
    list: { method: "GET", path: "/v1/files", takes: ["query"], pages: "after" },
    get: { method: "GET", path: "/v1/files/{file_id}" },
    remove: { method: "DELETE", path: "/v1/files/{file_id}" },
    content: { method: "GET", path: "/v1/files/{file_id}/content", isFile: true }
  },
  llm: {
    chat: { method: "POST", path: "/v1/chat/completions", takes: ["json"], key: "named" },
    responses: { method: "POST", path: "/v1/responses", takes: ["json"], key: "named" },
    inputTokens: { method: "POST", path: "/v1/responses/input_tokens", takes: ["json"], key: "named" }
  },
  messages: {
    create: { method: "POST", path: "/v1/messages", takes: ["json"], key: "named" },
    countTokens: { method: "POST", path: "/v1/messages/count_tokens", takes: ["json"], key: "named" }
  },
  keptResponses: {
    get: { method: "GET", path: "/v1/responses/{response_id}" },
    remove: { method: "DELETE", path: "/v1/responses/{response_id}" },
    inputItems: { method: "GET", path: "/v1/responses/{response_id}/input_items", takes: ["query"], pages: "after" }
  },
  webSearch: {
    search: { method: "POST", path: "/v1/search", takes: ["json"], key: "named" }
  },
  speechSynthesis: {
    speak: { method: "POST", path: "/v1/audio/speech", takes: ["json"], isFile: true, key: "named" }
  },
  embeddings: {
    embed: { method: "POST", path: "/v1/embeddings", takes: ["json"], key: "named" }
  },
  images: {
    generate: { method: "POST", path: "/v1/images/generations", takes: ["json"], key: "named" }
  },
  models: {
    list: { method: "GET", path: "/api/v1/models" },
    listVoice: { method: "GET", path: "/api/v1/voice/models" },
    access: { method: "GET", path: "/api/v1/models/access" }
  },
  inferenceModels: {
    list: { method: "GET", path: "/v1/models" },
    get: { method: "GET", path: "/v1/models/{model}" }
  },
  audio: {
    transcribe: { method: "POST", path: "/v1/audio/transcriptions", takes: ["form"], key: "named" },
    translate: { method: "POST", path: "/v1/audio/translations", takes: ["form"], key: "named" }
  },
  usage: {
    summary: { method: "GET", path: "/v1/usage/summary", takes: ["query"] },
    series: { method: "GET", path: "/v1/usage/series", takes: ["query"] },
    listLogs: { method: "GET", path: "/v1/usage/logs", takes: ["query"], pages: "offset" },
    exportLogs: { method: "GET", path: "/v1/usage/logs.csv", takes: ["query"], isFile: true },
    plan: { method: "GET", path: "/v1/usage/plan" }
  }
})
