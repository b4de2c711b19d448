/** Which passwords are accepted. Pure. Source: docs/reference/sign-in.md#passwords. */
import * as Fields from "../http/Fields.ts"

const shortest = 12
const longest = 1024

/** A new password: its length in code points counts, and nothing else. */
export const NewPassword = Fields.text(shortest, longest)

/** A password that is to be compared. */
export const GivenPassword = Fields.text(0, longest)

/** One form of characters that can be written in several ways: keyboards differ in which one they send. */
export const plainPassword = (password: string): string => password.normalize("NFKC")
