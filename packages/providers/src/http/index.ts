/**
 * The HTTP client of the providers: each request to an outside party goes through it.
 *
 * Promises  CLNT-1 A request is sent at most once: it is neither repeated nor redirected.
 *           CLNT-2 The wait for the head, the wait for the body and the size of head and body are limited.
 *           CLNT-3 A request that is interrupted ends its connection; one that has no connection yet is never sent.
 *           CLNT-4 No error repeats what came from outside: neither addresses nor words.
 *           CLNT-5 Once there is a response, the chunks of the request's body are no longer read: their memory may be freed.
 *           CLNT-6 A response that is read while it comes waits for its reader, with at most 256 KiB and what a socket holds, and
 *                  leaves a connection that is used again where it was read to its end.
 *           CLNT-7 Interim answers (1xx) are read past, asked for or not.
 *           CLNT-8 What is thrown over a response ends that response alone, as one that broke off.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what a status means: each provider has its own table of refusals.
 * Read      BoundedHttp.ts, HttpExchange.ts, OpenedResponse.ts, then Multipart.ts, RetryAfter.ts and BaseUrl.ts.
 */
export * from "./BaseUrl.ts"
export * from "./BoundedBody.ts"
export * from "./BoundedHttp.ts"
export * from "./ConnectionFault.ts"
export * from "./Connector.ts"
export * from "./FormBody.ts"
export * from "./HttpExchange.ts"
export * from "./JsonBody.ts"
export * from "./Multipart.ts"
export * from "./OpenedResponse.ts"
export * from "./OpenRequest.ts"
export * from "./PolicyLookup.ts"
export * from "./RetryAfter.ts"
