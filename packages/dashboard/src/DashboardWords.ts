/**
 * Every text of the pages, in English. A key is what an installation names to replace a text: docs/reference/dashboard.md#words.
 * A text about a number has a form for each plural of its language, of which English has `one` and `other`.
 */
export const english = {
  "sign-in.heading": "Sign in"
} as const

export type WordKey = keyof typeof english
