/** Arguments that promises about the chat channels share. */
import * as Schema from "effect/Schema"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { argument, record } from "../Arguments.ts"

/** The platform's id of a connected number. */
export const phoneNumberId = argument("phoneNumberId", MessagingApi.PlatformId)

/** What stands in a header of the platform's form. */
const headerText = Fields.text(1, 255).check(
  Schema.makeFilter((value: string) => !/\p{Cc}/u.test(value) || "Expected a text without control characters")
)

/** A file that a host hands over. */
export const fileOf = (maxBytes: (contentType: string) => number) =>
  record(
    "file",
    Schema.Struct({
      contentType: headerText,
      fileName: headerText,
      bytes: Schema.declare((given): given is Uint8Array => given instanceof Uint8Array, { expected: "a Uint8Array" })
    }).check(
      Schema.makeFilter(({ bytes, contentType }) => {
        const max = maxBytes(contentType)
        if (bytes.byteLength === 0) return { path: ["bytes"], issue: "The file is empty" }
        return (
          bytes.byteLength <= max || { path: ["bytes"], issue: `A file of this type may have at most ${max} bytes` }
        )
      })
    )
  )
