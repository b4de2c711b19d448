/** Which passwords are accepted. Pure. Source: docs/reference/sign-in.md#passwords. */

/** The characters that a new password has at least: no other rule makes one better. */
export const minPasswordLength = 12

export const maxPasswordLength = 1024

/** One form of characters that can be written in several ways: keyboards differ in which one they send. */
export const plainPassword = (password: string): string => password.normalize("NFKC")
