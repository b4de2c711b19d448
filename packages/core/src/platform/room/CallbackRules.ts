/** What a carrier or a channel says of its callbacks, so that a stranger's is refused before its body is read. */
export interface CallbackRules {
  /** Maximum bytes of a body, where that is less than what the route accepts. */
  readonly maxBytes?: number
  /** The header that proves a callback, and the form of every proof. Left out: nothing proves one before its body is read. */
  readonly proof?: { readonly header: string; readonly form: RegExp }
}
